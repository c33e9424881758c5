#include <cmath>
#include <complex>

#include "rill/ops/math/rows/elementwise.h"
#include "rill/ops/math/rows/numeric.h"
#include "rill/ops/math/rows/trigonometry_rows.h"

namespace rill {

extern const OpDecl kSin, kCos, kTan, kAsin, kAcos, kAtan, kSinh, kCosh, kAsinh, kAcosh, kAtanh;

namespace {

template <class F, class T>
T call(T x) {
  return F()(x);
}

template <class F>
UnaryRows find(DType type) {
  const UnaryRows vectorised = find_trigonometric_rows(F::kFunction, type);
  if (vectorised.row != nullptr) return vectorised;
  // The C library takes one at a time, so one instruction set is as good as another.
  switch (type) {
    case DType::f64:
      return {mapped_row<double, call<F, double>>, 15};
    case DType::c64:
      return {mapped_row<complex64, call<F, complex64>>, 40};
    case DType::c128:
      return {mapped_row<complex128, call<F, complex128>>, 60};
    default:
      return {};
  }
}

struct SinOp {
  static constexpr auto kFunction = Trigonometric::kSin;
  template <class T>
  T operator()(T x) const {
    return std::sin(x);
  }
};
struct CosOp {
  static constexpr auto kFunction = Trigonometric::kCos;
  template <class T>
  T operator()(T x) const {
    return std::cos(x);
  }
};
struct TanOp {
  static constexpr auto kFunction = Trigonometric::kTan;
  template <class T>
  T operator()(T x) const {
    return std::tan(x);
  }
};
struct AsinOp {
  static constexpr auto kFunction = Trigonometric::kAsin;
  template <class T>
  T operator()(T x) const {
    return std::asin(x);
  }
};
struct AcosOp {
  static constexpr auto kFunction = Trigonometric::kAcos;
  template <class T>
  T operator()(T x) const {
    return std::acos(x);
  }
};
struct AtanOp {
  static constexpr auto kFunction = Trigonometric::kAtan;
  template <class T>
  T operator()(T x) const {
    return std::atan(x);
  }
};
struct SinhOp {
  static constexpr auto kFunction = Trigonometric::kSinh;
  template <class T>
  T operator()(T x) const {
    return std::sinh(x);
  }
};
struct CoshOp {
  static constexpr auto kFunction = Trigonometric::kCosh;
  template <class T>
  T operator()(T x) const {
    return std::cosh(x);
  }
};
struct AsinhOp {
  static constexpr auto kFunction = Trigonometric::kAsinh;
  template <class T>
  T operator()(T x) const {
    return std::asinh(x);
  }
};
struct AcoshOp {
  static constexpr auto kFunction = Trigonometric::kAcosh;
  template <class T>
  T operator()(T x) const {
    return std::acosh(x);
  }
};
struct AtanhOp {
  static constexpr auto kFunction = Trigonometric::kAtanh;
  template <class T>
  T operator()(T x) const {
    return std::atanh(x);
  }
};

constexpr TypeSet kTrigonometryTypes = kFloatTypes | kComplexTypes;

constexpr KernelEntry kEntries[] = {
    unary_entry<find<SinOp>>(&kSin, kTrigonometryTypes),
    unary_entry<find<CosOp>>(&kCos, kTrigonometryTypes),
    unary_entry<find<TanOp>>(&kTan, kTrigonometryTypes),
    unary_entry<find<AsinOp>>(&kAsin, kTrigonometryTypes),
    unary_entry<find<AcosOp>>(&kAcos, kTrigonometryTypes),
    unary_entry<find<AtanOp>>(&kAtan, kTrigonometryTypes),
    unary_entry<find<SinhOp>>(&kSinh, kTrigonometryTypes),
    unary_entry<find<CoshOp>>(&kCosh, kTrigonometryTypes),
    unary_entry<find<AsinhOp>>(&kAsinh, kTrigonometryTypes),
    unary_entry<find<AcoshOp>>(&kAcosh, kTrigonometryTypes),
    unary_entry<find<AtanhOp>>(&kAtanh, kTrigonometryTypes),
};

}  // namespace

extern const KernelTable kTrigonometryCpu{kEntries};

}  // namespace rill
