#include <cmath>

#include "rill/ops/math/rows/activation_rows.h"
#include "rill/ops/math/rows/elementwise.h"

#define HWY_TARGET_INCLUDE "rill/ops/nn/activation/activation.cpu.cc"
#define RILL_WIDE_LOOPS 1
#include "rill/ops/simd/each_target.h"

#include "rill/ops/math/rows/rows-inl.h"
#include "rill/ops/math/rows/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
#include "rill/ops/simd/wide_vectors.h"
namespace rill::HWY_NAMESPACE {
namespace {

constexpr double kSeluScale = 1.0507009873554804934193349852946;
constexpr double kSeluScaleAlpha = 1.7580993408473768599402175208123;

inline float exp_of(float x) { return vector_exp(x); }
inline double exp_of(double x) { return std::exp(x); }
inline float expm1_of(float x) { return vector_expm1(x); }
inline double expm1_of(double x) { return std::expm1(x); }
struct EluOp {
  template <class T>
  T operator()(T x) const {
    return x < T(0) ? expm1_of(x) : x;
  }
};
struct EluGradOp {
  template <class T>
  T operator()(T gradient, T y) const {
    return y < T(0) ? gradient * (y + T(1)) : gradient;
  }
};
struct SeluOp {
  template <class T>
  T operator()(T x) const {
    return x < T(0) ? T(kSeluScaleAlpha) * expm1_of(x) : T(kSeluScale) * x;
  }
};
struct SeluGradOp {
  template <class T>
  T operator()(T gradient, T y) const {
    return gradient * (y < T(0) ? y + T(kSeluScaleAlpha) : T(kSeluScale));
  }
};
struct SoftplusOp {
  double operator()(double x) const { return (x < 0 ? 0 : x) + std::log1p(std::exp(-std::abs(x))); }
};
// In two passes: as one, the compiler no longer sees through the branches.
void softplus_row(void* out, const void* x, std::size_t n) {
  constexpr std::size_t kBlock = 256;
  alignas(64) float e[kBlock];
  for (std::size_t begin = 0; begin < n; begin += kBlock) {
    const auto* p = static_cast<const float*>(x) + begin;
    auto* r = static_cast<float*>(out) + begin;
    const std::size_t m = n - begin < kBlock ? n - begin : kBlock;
    for (std::size_t i = 0; i < m; ++i) e[i] = vector_exp(-std::abs(p[i]));
#pragma GCC ivdep
    for (std::size_t i = 0; i < m; ++i) r[i] = (p[i] < 0.0f ? 0.0f : p[i]) + vector_log1p(e[i]);
  }
}
struct SoftplusGradOp {
  template <class T>
  T operator()(T gradient, T x) const {
    return gradient / (T(1) + exp_of(-x));
  }
};
struct SoftsignOp {
  template <class T>
  T operator()(T x) const {
    return x / (T(1) + std::abs(x));
  }
};
struct SoftsignGradOp {
  template <class T>
  T operator()(T gradient, T x) const {
    const T d = T(1) + std::abs(x);
    return gradient / (d * d);
  }
};

template <class F>
UnaryRows pick(DType type) {
  return pick_unary<F, float, double>(type, 3);
}
template <class F>
BinaryRows pick_grad(DType type) {
  return pick_one<F, float, double>(type, 2);
}

}  // namespace

UnaryRows elu_rows(DType type) { return pick<EluOp>(type); }
UnaryRows selu_rows(DType type) { return pick<SeluOp>(type); }
UnaryRows softplus_rows(DType type) {
  if (type == DType::f32) return {softplus_row, 3};
  return pick_unary<SoftplusOp, double>(type, 30);
}
UnaryRows softsign_rows(DType type) { return pick<SoftsignOp>(type); }
BinaryRows elu_grad_rows(DType type) { return pick_grad<EluGradOp>(type); }
BinaryRows selu_grad_rows(DType type) { return pick_grad<SeluGradOp>(type); }
BinaryRows softplus_grad_rows(DType type) { return pick_grad<SoftplusGradOp>(type); }
BinaryRows softsign_grad_rows(DType type) { return pick_grad<SoftsignGradOp>(type); }

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

extern const OpDecl kElu, kEluGrad, kSelu, kSeluGrad, kSoftplus, kSoftplusGrad, kSoftsign,
    kSoftsignGrad;

namespace {

RILL_DISPATCH_BY_TYPE(UnaryRows, find_elu, elu_rows);
RILL_DISPATCH_BY_TYPE(UnaryRows, find_selu, selu_rows);
RILL_DISPATCH_BY_TYPE(UnaryRows, find_softplus, softplus_rows);
RILL_DISPATCH_BY_TYPE(UnaryRows, find_softsign, softsign_rows);
RILL_DISPATCH_BY_TYPE(BinaryRows, find_elu_grad, elu_grad_rows);
RILL_DISPATCH_BY_TYPE(BinaryRows, find_selu_grad, selu_grad_rows);
RILL_DISPATCH_BY_TYPE(BinaryRows, find_softplus_grad, softplus_grad_rows);
RILL_DISPATCH_BY_TYPE(BinaryRows, find_softsign_grad, softsign_grad_rows);

constexpr KernelEntry kEntries[] = {
    unary_entry<find_elu>(&kElu, kFloatTypes),
    unary_entry<find_selu>(&kSelu, kFloatTypes),
    unary_entry<find_softplus>(&kSoftplus, kFloatTypes),
    unary_entry<find_softsign>(&kSoftsign, kFloatTypes),
    binary_entry<find_elu_grad>(&kEluGrad, kFloatTypes),
    binary_entry<find_selu_grad>(&kSeluGrad, kFloatTypes),
    binary_entry<find_softplus_grad>(&kSoftplusGrad, kFloatTypes),
    binary_entry<find_softsign_grad>(&kSoftsignGrad, kFloatTypes),
};

}  // namespace

UnaryRows find_elu_rows(DType type) { return find_elu(type); }

extern const KernelTable kActivationCpu{kEntries};

}  // namespace rill
#endif
