#include "rill/ops/train/step.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "rill/ops/train/gradient_descent.cpu.cc"
#include "rill/ops/simd/each_target.h"

#include "rill/ops/train/step-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rill::HWY_NAMESPACE {
namespace {

template <class N>
struct Descent {
  static constexpr int kSlots = 0;
  N alpha;
  explicit Descent(const StepData& d) : alpha(N(d.scalar[0])) {}
  void operator()(N delta, N& var) const { var = var - alpha * delta; }
};

template <class N>
struct ProximalDescent {
  static constexpr int kSlots = 0;
  N alpha, l1, l2;
  explicit ProximalDescent(const StepData& d)
      : alpha(N(d.scalar[0])), l1(N(d.scalar[1])), l2(N(d.scalar[2])) {}
  void operator()(N delta, N& var) const {
    var = drawn_to_zero(var - delta * alpha, alpha, l1, l2);
  }
};

}  // namespace

StepFn descent_step(DType type) { return pick_step<Descent>(type); }
StepFn proximal_descent_step(DType type) { return pick_step<ProximalDescent>(type); }

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

extern const OpDecl kApplyGradientDescent, kResourceApplyGradientDescent,
    kApplyProximalGradientDescent, kResourceApplyProximalGradientDescent,
    kSparseApplyProximalGradientDescent, kResourceSparseApplyProximalGradientDescent;

namespace {

HWY_EXPORT(descent_step);
HWY_EXPORT(proximal_descent_step);

StepFn find_descent(DType type) { return HWY_DYNAMIC_DISPATCH(descent_step)(type); }
StepFn find_proximal_descent(DType type) {
  return HWY_DYNAMIC_DISPATCH(proximal_descent_step)(type);
}

constexpr KernelEntry kEntries[] = {
    step_entry<find_descent>(&kApplyGradientDescent),
    step_entry<find_descent>(&kResourceApplyGradientDescent),
    step_entry<find_proximal_descent>(&kApplyProximalGradientDescent),
    step_entry<find_proximal_descent>(&kResourceApplyProximalGradientDescent),
    step_entry<find_proximal_descent>(&kSparseApplyProximalGradientDescent),
    step_entry<find_proximal_descent>(&kResourceSparseApplyProximalGradientDescent),
};

}  // namespace

extern const KernelTable kGradientDescentCpu{kEntries};

}  // namespace rill
#endif
