#include <cmath>
#include <complex>

#include "rill/ops/math/reduce/reduce.h"
#include "rill/ops/math/rows/numeric.h"

#define HWY_TARGET_INCLUDE "rill/ops/math/reduce/reduce_sum.cpu.cc"
#define RILL_WIDE_LOOPS 1
#include "rill/ops/simd/each_target.h"

#include "rill/ops/math/reduce/reduce_rows-inl.h"

HWY_BEFORE_NAMESPACE();
#include "rill/ops/simd/wide_vectors.h"
namespace rill::HWY_NAMESPACE {
namespace {

template <class T>
struct SumOp {
  using Accumulator = T;
  static T identity() { return T(0); }
  static T load(T x) { return x; }
  static T join(T a, T b) { return wrapping_add(a, b); }
};

// Small integers are averaged through wide ones, which do not wrap around.
template <class T>
struct WideSumOp {
  using Accumulator = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
  static Accumulator identity() { return 0; }
  static Accumulator load(T x) { return x; }
  static Accumulator join(Accumulator a, Accumulator b) { return wrapping_add(a, b); }
};

template <class T>
struct ProdOp {
  using Accumulator = T;
  static T identity() { return T(1); }
  static T load(T x) { return x; }
  static T join(T a, T b) { return wrapping_mul(a, b); }
};

template <class T>
struct SquareSumOp {
  using Accumulator = std::conditional_t<kIsInteger<T>, double, T>;
  static Accumulator identity() { return Accumulator(0); }
  static Accumulator load(T x) {
    if constexpr (kIsComplex<T>)
      return x.real() * x.real() + x.imag() * x.imag();
    else
      return static_cast<Accumulator>(x) * static_cast<Accumulator>(x);
  }
  static Accumulator join(Accumulator a, Accumulator b) { return a + b; }
};

}  // namespace

ReduceRows sum_rows(DType type) {
  return pick_reduce<SumOp, float, double, std::uint8_t, std::uint16_t, std::uint32_t,
                     std::uint64_t, complex64, complex128>(wrapping_type(type));
}
ReduceRows wide_sum_rows(DType type) {
  return pick_reduce<WideSumOp, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                     std::uint16_t, std::uint32_t, std::uint64_t>(type);
}
ReduceRows prod_rows(DType type) {
  return pick_reduce<ProdOp, float, double, std::uint8_t, std::uint16_t, std::uint32_t,
                     std::uint64_t, complex64, complex128>(wrapping_type(type));
}
ReduceRows square_sum_rows(DType type) {
  return pick_reduce<SquareSumOp, float, double, std::int8_t, std::int16_t, std::int32_t,
                     std::int64_t, std::uint8_t, std::uint16_t, complex64, complex128>(type);
}

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

extern const OpDecl kSum, kMean, kProd, kEuclideanNorm;

namespace {

HWY_EXPORT(wide_sum_rows);
HWY_EXPORT(square_sum_rows);

template <class T, class A>
void divide_by_count(void* out, const void* acc, std::size_t n, std::int64_t count) {
  const auto* a = static_cast<const A*>(acc);
  for (std::size_t i = 0; i < n; ++i) {
    if constexpr (std::is_integral_v<T>)
      static_cast<T*>(out)[i] = static_cast<T>(count == 0 ? A(0) : a[i] / static_cast<A>(count));
    else if constexpr (kIsComplex<T>)
      static_cast<T*>(out)[i] = a[i] / static_cast<typename T::value_type>(count);
    else
      static_cast<T*>(out)[i] = a[i] / static_cast<T>(count);
  }
}

template <class T, class A>
void square_root(void* out, const void* acc, std::size_t n, std::int64_t) {
  const auto* a = static_cast<const A*>(acc);
  for (std::size_t i = 0; i < n; ++i) {
    if constexpr (kIsComplex<T>)
      static_cast<T*>(out)[i] = std::sqrt(a[i].real());
    else
      static_cast<T*>(out)[i] = static_cast<T>(std::sqrt(a[i]));
  }
}

RILL_DISPATCH_BY_TYPE(ReduceRows, find_prod, prod_rows);

ReduceRows with_finish(ReduceRows rows, decltype(ReduceRows::finish) finish) {
  if (rows.fold != nullptr) rows.finish = finish;
  return rows;
}

ReduceRows find_mean(DType type) {
  const auto sum = find_sum_rows(type);
  const auto wide = HWY_DYNAMIC_DISPATCH(wide_sum_rows)(type);
  switch (type) {
    case DType::f32:
      return with_finish(sum, divide_by_count<float, float>);
    case DType::f64:
      return with_finish(sum, divide_by_count<double, double>);
    case DType::c64:
      return with_finish(sum, divide_by_count<complex64, complex64>);
    case DType::c128:
      return with_finish(sum, divide_by_count<complex128, complex128>);
    case DType::i8:
      return with_finish(wide, divide_by_count<std::int8_t, std::int64_t>);
    case DType::i16:
      return with_finish(wide, divide_by_count<std::int16_t, std::int64_t>);
    case DType::i32:
      return with_finish(wide, divide_by_count<std::int32_t, std::int64_t>);
    case DType::i64:
      return with_finish(wide, divide_by_count<std::int64_t, std::int64_t>);
    case DType::u8:
      return with_finish(wide, divide_by_count<std::uint8_t, std::uint64_t>);
    case DType::u16:
      return with_finish(wide, divide_by_count<std::uint16_t, std::uint64_t>);
    case DType::u32:
      return with_finish(wide, divide_by_count<std::uint32_t, std::uint64_t>);
    case DType::u64:
      return with_finish(wide, divide_by_count<std::uint64_t, std::uint64_t>);
    default:
      return {};
  }
}

ReduceRows find_norm(DType type) {
  const auto rows = HWY_DYNAMIC_DISPATCH(square_sum_rows)(type);
  switch (type) {
    case DType::f32:
      return with_finish(rows, square_root<float, float>);
    case DType::f64:
      return with_finish(rows, square_root<double, double>);
    case DType::c64:
      return with_finish(rows, square_root<complex64, complex64>);
    case DType::c128:
      return with_finish(rows, square_root<complex128, complex128>);
    case DType::i8:
      return with_finish(rows, square_root<std::int8_t, double>);
    case DType::i16:
      return with_finish(rows, square_root<std::int16_t, double>);
    case DType::i32:
      return with_finish(rows, square_root<std::int32_t, double>);
    case DType::i64:
      return with_finish(rows, square_root<std::int64_t, double>);
    case DType::u8:
      return with_finish(rows, square_root<std::uint8_t, double>);
    case DType::u16:
      return with_finish(rows, square_root<std::uint16_t, double>);
    default:
      return {};
  }
}

constexpr TypeSet kNormTypes = kNumberTypes - (DType::u32 | DType::u64);

constexpr KernelEntry kEntries[] = {
    reduction_entry<find_sum_rows>(&kSum, kNumberTypes),
    reduction_entry<find_mean>(&kMean, kNumberTypes),
    reduction_entry<find_prod>(&kProd, kNumberTypes),
    reduction_entry<find_norm>(&kEuclideanNorm, kNormTypes),
};

}  // namespace

RILL_DISPATCH_BY_TYPE(ReduceRows, find_sum_rows, sum_rows);
ReduceRows find_square_sum_rows(DType type) { return HWY_DYNAMIC_DISPATCH(square_sum_rows)(type); }

extern const KernelTable kReduceSumCpu{kEntries};

}  // namespace rill
#endif
