#include <complex>

#include "rill/ops/math/rows/elementwise.h"
#include "rill/ops/math/rows/numeric.h"

#define HWY_TARGET_INCLUDE "rill/ops/math/elementwise/unary_grad.cpu.cc"
#include "rill/ops/simd/each_target.h"

#include "rill/ops/math/rows/rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rill::HWY_NAMESPACE {
namespace {

// Gradients of holomorphic functions conjugate y; those of Tanh and Sigmoid do not in TensorFlow,
// whose callers conjugate it first.
template <class T>
inline T conjugated(T y) {
  if constexpr (kIsComplex<T>)
    return T(y.real(), -y.imag());
  else
    return y;
}

struct TanhGradOp {
  template <class T>
  T operator()(T y, T dy) const {
    return wrapping_mul(dy, T(1) - wrapping_mul(y, y));
  }
};
struct SigmoidGradOp {
  template <class T>
  T operator()(T y, T dy) const {
    return wrapping_mul(wrapping_mul(dy, y), T(1) - y);
  }
};
// Where nothing flows back nothing does, though the slope there is infinite: what a Where has not
// chosen leaves no NaN.
template <class T>
inline T unless_zero(T dy, T product) {
  return dy == T(0) ? T(0) : product;
}

struct InvGradOp {
  template <class T>
  T operator()(T y, T dy) const {
    const T c = conjugated(y);
    return unless_zero(dy, wrapping_mul(-dy, wrapping_mul(c, c)));
  }
};
struct SqrtGradOp {
  template <class T>
  T operator()(T y, T dy) const {
    return unless_zero(dy, wrapping_mul(dy, T(0.5)) / conjugated(y));
  }
};
struct RsqrtGradOp {
  template <class T>
  T operator()(T y, T dy) const {
    const T c = conjugated(y);
    return unless_zero(
        dy, wrapping_mul(wrapping_mul(dy, T(-0.5)), wrapping_mul(wrapping_mul(c, c), c)));
  }
};

template <class F>
BinaryRows pick(DType type) {
  return pick_one<F, float, double, complex64, complex128>(type, 0.5);
}

}  // namespace

BinaryRows tanh_grad_rows(DType type) { return pick<TanhGradOp>(type); }
BinaryRows sigmoid_grad_rows(DType type) { return pick<SigmoidGradOp>(type); }
BinaryRows inv_grad_rows(DType type) { return pick<InvGradOp>(type); }
BinaryRows sqrt_grad_rows(DType type) { return pick<SqrtGradOp>(type); }
BinaryRows rsqrt_grad_rows(DType type) { return pick<RsqrtGradOp>(type); }

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

extern const OpDecl kTanhGrad, kSigmoidGrad, kInvGrad, kReciprocalGrad, kSqrtGrad, kRsqrtGrad;

namespace {

RILL_DISPATCH_BY_TYPE(BinaryRows, find_tanh_grad, tanh_grad_rows);
RILL_DISPATCH_BY_TYPE(BinaryRows, find_sigmoid_grad, sigmoid_grad_rows);
RILL_DISPATCH_BY_TYPE(BinaryRows, find_inv_grad, inv_grad_rows);
RILL_DISPATCH_BY_TYPE(BinaryRows, find_sqrt_grad, sqrt_grad_rows);
RILL_DISPATCH_BY_TYPE(BinaryRows, find_rsqrt_grad, rsqrt_grad_rows);

constexpr TypeSet kTypes = kFloatTypes | kComplexTypes;

constexpr KernelEntry kEntries[] = {
    binary_entry<find_tanh_grad>(&kTanhGrad, kTypes),
    binary_entry<find_sigmoid_grad>(&kSigmoidGrad, kTypes),
    binary_entry<find_inv_grad>(&kInvGrad, kTypes),
    binary_entry<find_inv_grad>(&kReciprocalGrad, kTypes),
    binary_entry<find_sqrt_grad>(&kSqrtGrad, kTypes),
    binary_entry<find_rsqrt_grad>(&kRsqrtGrad, kTypes),
};

}  // namespace

extern const KernelTable kUnaryGradCpu{kEntries};

}  // namespace rill
#endif
