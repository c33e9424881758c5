#include "rill/ops/train/step.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "rill/ops/train/adam.cpu.cc"
#include "rill/ops/simd/each_target.h"

#include "rill/ops/train/step-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rill::HWY_NAMESPACE {
namespace {

template <class N>
struct Adam {
  static constexpr int kSlots = 2;
  N alpha, beta1, beta2, epsilon;
  bool nesterov;
  explicit Adam(const StepData& d)
      : alpha(N(d.scalar[2]) * sqrt(N(1) - N(d.scalar[1])) / (N(1) - N(d.scalar[0]))),
        beta1(N(d.scalar[3])),
        beta2(N(d.scalar[4])),
        epsilon(N(d.scalar[5])),
        nesterov(d.flag) {}
  void operator()(N grad, N& var, N& m, N& v) const {
    m = m + (grad - m) * (N(1) - beta1);
    v = v + (grad * grad - v) * (N(1) - beta2);
    const N step = nesterov ? grad * (N(1) - beta1) + beta1 * m : m;
    var = var - (step * alpha) / (sqrt(v) + epsilon);
  }
};

template <class N>
struct AdamWithAmsgrad {
  static constexpr int kSlots = 3;
  N alpha, beta1, beta2, epsilon;
  explicit AdamWithAmsgrad(const StepData& d)
      : alpha(N(d.scalar[2]) * sqrt(N(1) - N(d.scalar[1])) / (N(1) - N(d.scalar[0]))),
        beta1(N(d.scalar[3])),
        beta2(N(d.scalar[4])),
        epsilon(N(d.scalar[5])) {}
  void operator()(N grad, N& var, N& m, N& v, N& vhat) const {
    m = m + (grad - m) * (N(1) - beta1);
    v = v + (grad * grad - v) * (N(1) - beta2);
    vhat = larger(vhat, v);
    var = var - (m * alpha) / (sqrt(vhat) + epsilon);
  }
};

template <class N>
struct AdaMax {
  static constexpr int kSlots = 2;
  N rate, beta1, beta2, epsilon;
  explicit AdaMax(const StepData& d)
      : rate(N(d.scalar[1]) / (N(1) - N(d.scalar[0]))),
        beta1(N(d.scalar[2])),
        beta2(N(d.scalar[3])),
        epsilon(N(d.scalar[4])) {}
  void operator()(N grad, N& var, N& m, N& v) const {
    m = m + (grad - m) * (N(1) - beta1);
    v = larger(beta2 * v, magnitude(grad));
    var = var - rate * (m / (v + epsilon));
  }
};

}  // namespace

StepFn adam_step(DType type) { return pick_step<Adam>(type); }
StepFn amsgrad_step(DType type) { return pick_step<AdamWithAmsgrad>(type); }
StepFn ada_max_step(DType type) { return pick_step<AdaMax>(type); }

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

extern const OpDecl kApplyAdam, kResourceApplyAdam, kResourceApplyAdamWithAmsgrad, kApplyAdaMax,
    kResourceApplyAdaMax;

namespace {

HWY_EXPORT(adam_step);
HWY_EXPORT(amsgrad_step);
HWY_EXPORT(ada_max_step);

StepFn find_adam(DType type) { return HWY_DYNAMIC_DISPATCH(adam_step)(type); }
StepFn find_amsgrad(DType type) { return HWY_DYNAMIC_DISPATCH(amsgrad_step)(type); }
StepFn find_ada_max(DType type) { return HWY_DYNAMIC_DISPATCH(ada_max_step)(type); }

constexpr KernelEntry kEntries[] = {
    step_entry<find_adam>(&kApplyAdam),
    step_entry<find_adam>(&kResourceApplyAdam),
    step_entry<find_amsgrad>(&kResourceApplyAdamWithAmsgrad),
    step_entry<find_ada_max>(&kApplyAdaMax),
    step_entry<find_ada_max>(&kResourceApplyAdaMax),
};

}  // namespace

extern const KernelTable kAdamCpu{kEntries};

}  // namespace rill
#endif
