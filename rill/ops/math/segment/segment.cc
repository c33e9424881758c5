#include "rill/ops/math/segment/segment.h"

#include <cmath>
#include <complex>
#include <limits>

#include "rill/tensor/dtype_visit.h"
#include "rill/tensor/narrow_float.h"

namespace rill {
namespace {

// Calls f.operator()<T>() with the C++ type of a number type.
template <class F>
void with_number(DType dtype, F f) {
  visit_dtype(dtype, [&]<class T>() {
    if constexpr (kNumberTypes.contains(dtype_of<T>)) {
      f.template operator()<T>();
    } else {
      raise(Code::kUnimplemented, "segments of elements of type ", dtype);
    }
  });
}

template <class T>
T as(double number) {
  if constexpr (kIsNarrowFloat<T>) {
    return T(static_cast<float>(number));
  } else {
    return static_cast<T>(number);
  }
}

// The lowest or highest number of a type.
template <class T>
T extreme(bool highest) {
  return static_cast<T>(highest ? kHighest<T> : kLowest<T>);
}

}  // namespace

UpdateKind update_of(SegmentKind kind) {
  switch (kind) {
    case SegmentKind::kProd:
      return UpdateKind::kMul;
    case SegmentKind::kMin:
      return UpdateKind::kMin;
    case SegmentKind::kMax:
      return UpdateKind::kMax;
    default:
      return UpdateKind::kAdd;
  }
}

void fill_number(const Tensor& tensor, double number) {
  with_number(tensor.dtype(), [&]<class T>() {
    for (T& element : tensor.flat<T>()) element = as<T>(number);
  });
}

void fill_neutral(const Tensor& tensor, SegmentKind kind) {
  if (kind != SegmentKind::kMin && kind != SegmentKind::kMax)
    return fill_number(tensor, kind == SegmentKind::kProd ? 1 : 0);
  with_number(tensor.dtype(), [&]<class T>() {
    for (T& element : tensor.flat<T>()) element = extreme<T>(kind == SegmentKind::kMin);
  });
}

double segment_divisor(SegmentKind kind, std::int64_t count) {
  const auto number = static_cast<double>(count);
  return kind == SegmentKind::kMean ? number : kind == SegmentKind::kSqrtN ? std::sqrt(number) : 1;
}

void divide_row(SegmentKind kind, DType dtype, void* row, std::int64_t count, std::size_t width) {
  if (kind != SegmentKind::kMean && kind != SegmentKind::kSqrtN) return;
  with_number(dtype, [&]<class T>() {
    const T divisor = as<T>(segment_divisor(kind, count));
    element_update(UpdateKind::kDiv, dtype).with_scalar(dtype, row, &divisor, width);
  });
}

}  // namespace rill
