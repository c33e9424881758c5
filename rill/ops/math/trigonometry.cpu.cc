#include <cmath>
#include <complex>

#include "rill/ops/math/elementwise.h"
#include "rill/ops/math/numeric.h"

namespace rill {

extern const OpDecl kSin, kCos, kTan, kAsin, kAcos, kAtan, kSinh, kCosh, kAsinh, kAcosh, kAtanh;

namespace {

// The C library does these one at a time, so one instruction set is as good as another.
template <class T, T (*f)(T)>
void row(void* out, const void* x, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) static_cast<T*>(out)[i] = f(static_cast<const T*>(x)[i]);
}

template <class F, class T>
T call(T x) {
  return F()(x);
}

template <class F>
UnaryRows find(DType type) {
  switch (type) {
    case DType::f32:
      return {row<float, call<F, float>>, 8};
    case DType::f64:
      return {row<double, call<F, double>>, 15};
    case DType::c64:
      return {row<complex64, call<F, complex64>>, 40};
    case DType::c128:
      return {row<complex128, call<F, complex128>>, 60};
    default:
      return {};
  }
}

struct SinOp {
  template <class T>
  T operator()(T x) const {
    return std::sin(x);
  }
};
struct CosOp {
  template <class T>
  T operator()(T x) const {
    return std::cos(x);
  }
};
struct TanOp {
  template <class T>
  T operator()(T x) const {
    return std::tan(x);
  }
};
struct AsinOp {
  template <class T>
  T operator()(T x) const {
    return std::asin(x);
  }
};
struct AcosOp {
  template <class T>
  T operator()(T x) const {
    return std::acos(x);
  }
};
struct AtanOp {
  template <class T>
  T operator()(T x) const {
    return std::atan(x);
  }
};
struct SinhOp {
  template <class T>
  T operator()(T x) const {
    return std::sinh(x);
  }
};
struct CoshOp {
  template <class T>
  T operator()(T x) const {
    return std::cosh(x);
  }
};
struct AsinhOp {
  template <class T>
  T operator()(T x) const {
    return std::asinh(x);
  }
};
struct AcoshOp {
  template <class T>
  T operator()(T x) const {
    return std::acosh(x);
  }
};
struct AtanhOp {
  template <class T>
  T operator()(T x) const {
    return std::atanh(x);
  }
};

constexpr TypeSet kTypes = kFloatTypes | kComplexTypes;

constexpr KernelEntry kEntries[] = {
    unary_entry<find<SinOp>>(&kSin, kTypes),     unary_entry<find<CosOp>>(&kCos, kTypes),
    unary_entry<find<TanOp>>(&kTan, kTypes),     unary_entry<find<AsinOp>>(&kAsin, kTypes),
    unary_entry<find<AcosOp>>(&kAcos, kTypes),   unary_entry<find<AtanOp>>(&kAtan, kTypes),
    unary_entry<find<SinhOp>>(&kSinh, kTypes),   unary_entry<find<CoshOp>>(&kCosh, kTypes),
    unary_entry<find<AsinhOp>>(&kAsinh, kTypes), unary_entry<find<AcoshOp>>(&kAcosh, kTypes),
    unary_entry<find<AtanhOp>>(&kAtanh, kTypes),
};

}  // namespace

extern const KernelTable kTrigonometryCpu{kEntries};

}  // namespace rill
