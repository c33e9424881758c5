#include <cmath>
#include <complex>

#include "rill/ops/math/rows/activation_rows.h"
#include "rill/ops/math/rows/elementwise.h"
#include "rill/ops/math/rows/exponential_rows.h"
#include "rill/ops/math/rows/numeric.h"

#define HWY_TARGET_INCLUDE "rill/ops/math/elementwise/exponential.cpu.cc"
#define RILL_WIDE_LOOPS 1
#include "rill/ops/simd/each_target.h"

#include "rill/ops/math/rows/rows-inl.h"
#include "rill/ops/math/rows/vector_double-inl.h"
#include "rill/ops/math/rows/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
#include "rill/ops/simd/wide_vectors.h"
namespace rill::HWY_NAMESPACE {
namespace {

struct ExpOp {
  template <class T>
  T operator()(T x) const {
    if constexpr (kIsComplex<T>)
      return std::exp(x);
    else
      return vector_exp(x);
  }
};

struct Expm1Op {
  float operator()(float x) const { return vector_expm1(x); }
  double operator()(double x) const { return std::expm1(x); }
  template <class R>
  std::complex<R> operator()(std::complex<R> z) const {
    const R half_sine = std::sin(z.imag() / 2);  // cos(b) - 1 is -2 sin(b/2)^2
    return {std::expm1(z.real()) * std::cos(z.imag()) - 2 * half_sine * half_sine,
            std::exp(z.real()) * std::sin(z.imag())};
  }
};

struct LogOp {
  template <class T>
  T operator()(T x) const {
    if constexpr (kIsComplex<T>)
      return std::log(x);
    else
      return vector_log(x);
  }
};

struct Log1pOp {
  float operator()(float x) const { return vector_log1p(x); }
  double operator()(double x) const { return std::log1p(x); }
  template <class R>
  std::complex<R> operator()(std::complex<R> z) const {
    const R a = z.real(), b = z.imag();  // |1 + z|^2 is 1 + (a (2 + a) + b^2)
    return {std::log1p(a * (2 + a) + b * b) / 2, std::atan2(b, 1 + a)};
  }
};

struct TanhOp {
  template <class T>
  T operator()(T x) const {
    if constexpr (kIsComplex<T>)
      return std::tanh(x);
    else
      return vector_tanh(x);
  }
};

struct SigmoidOp {
  template <class T>
  T operator()(T x) const {
    if constexpr (kIsComplex<T>)
      return T(1) / (T(1) + std::exp(-x));
    else
      return vector_sigmoid(x);
  }
};

struct XlogyOp {
  template <class T>
  T operator()(T x, T y) const {
    return x == T(0) ? T(0) : wrapping_mul(x, LogOp()(y));
  }
};

template <class F>
UnaryRows pick(DType type, double float_cost, double double_cost = 15) {
  const double cost = type == DType::f32 ? float_cost : type == DType::f64 ? double_cost : 40;
  return pick_unary<F, float, double, complex64, complex128>(type, cost);
}

}  // namespace

UnaryRows exp_rows(DType type) { return pick<ExpOp>(type, 1, 2); }
UnaryRows expm1_rows(DType type) { return pick<Expm1Op>(type, 1.5); }
UnaryRows log_rows(DType type) { return pick<LogOp>(type, 1.5, 2); }
UnaryRows log1p_rows(DType type) { return pick<Log1pOp>(type, 2); }
UnaryRows tanh_rows(DType type) { return pick<TanhOp>(type, 1.5, 2); }
UnaryRows sigmoid_rows(DType type) { return pick<SigmoidOp>(type, 1.5, 2); }
BinaryRows xlogy_rows(DType type) {
  return pick_one<XlogyOp, float, double, complex64, complex128>(
      type, kComplexTypes.contains(type) ? 40 : 2);
}

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

extern const OpDecl kExp, kExpm1, kLog, kLog1p, kTanh, kSigmoid;

namespace {

HWY_EXPORT(exp_rows);

UnaryRows find_exp(DType type) {
  return type == DType::c64 ? find_complex_exp_row() : HWY_DYNAMIC_DISPATCH(exp_rows)(type);
}
RILL_DISPATCH_BY_TYPE(UnaryRows, find_expm1, expm1_rows);
RILL_DISPATCH_BY_TYPE(UnaryRows, find_log, log_rows);
RILL_DISPATCH_BY_TYPE(UnaryRows, find_log1p, log1p_rows);
RILL_DISPATCH_BY_TYPE(UnaryRows, find_tanh, tanh_rows);
RILL_DISPATCH_BY_TYPE(UnaryRows, find_sigmoid, sigmoid_rows);

constexpr TypeSet kTypes = kFloatTypes | kComplexTypes;

constexpr KernelEntry kEntries[] = {
    unary_entry<find_exp>(&kExp, kTypes),   unary_entry<find_expm1>(&kExpm1, kTypes),
    unary_entry<find_log>(&kLog, kTypes),   unary_entry<find_log1p>(&kLog1p, kTypes),
    unary_entry<find_tanh>(&kTanh, kTypes), unary_entry<find_sigmoid>(&kSigmoid, kTypes),
};

}  // namespace

UnaryRows find_tanh_rows(DType type) { return find_tanh(type); }
UnaryRows find_sigmoid_rows(DType type) { return find_sigmoid(type); }
RILL_DISPATCH_BY_TYPE(BinaryRows, find_xlogy_rows, xlogy_rows);

extern const KernelTable kExponentialCpu{kEntries};

}  // namespace rill
#endif
