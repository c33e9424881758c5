#include "rill/ops/train/step.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "rill/ops/train/adagrad.cpu.cc"
#include "rill/ops/simd/each_target.h"

#include "rill/ops/train/step-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rill::HWY_NAMESPACE {
namespace {

template <class N>
struct Adagrad {
  static constexpr int kSlots = 1;
  N lr;
  bool update_slots;
  explicit Adagrad(const StepData& d) : lr(N(d.scalar[0])), update_slots(d.flag) {}
  void operator()(N grad, N& var, N& accum) const {
    if (update_slots) accum = accum + grad * grad;
    var = var - grad * lr * (N(1) / sqrt(accum));
  }
};

template <class N>
struct AdagradV2 {
  static constexpr int kSlots = 1;
  N lr, epsilon;
  bool update_slots;
  explicit AdagradV2(const StepData& d)
      : lr(N(d.scalar[0])), epsilon(N(d.scalar[1])), update_slots(d.flag) {}
  void operator()(N grad, N& var, N& accum) const {
    if (update_slots) accum = accum + grad * grad;
    var = var - (grad * lr) / (sqrt(accum) + epsilon);
  }
};

template <class N>
struct AdagradDA {
  static constexpr int kSlots = 2;
  N lr, l1, l2, global_step;
  explicit AdagradDA(const StepData& d)
      : lr(N(d.scalar[0])), l1(N(d.scalar[1])), l2(N(d.scalar[2])), global_step(N(d.scalar[3])) {}
  void operator()(N grad, N& var, N& sum, N& square_sum) const {
    sum = sum + grad;
    square_sum = square_sum + grad * grad;
    const N scale = l2 * global_step * lr + sqrt(square_sum);
    if (l1 > N(0)) {
      var = lr * sign(N(0) - sum) * larger(magnitude(sum) - global_step * l1, N(0)) / scale;
    } else {
      var = lr * (N(0) - sum) / scale;
    }
  }
};

template <class N>
struct ProximalAdagrad {
  static constexpr int kSlots = 1;
  N lr, l1, l2;
  explicit ProximalAdagrad(const StepData& d)
      : lr(N(d.scalar[0])), l1(N(d.scalar[1])), l2(N(d.scalar[2])) {}
  void operator()(N grad, N& var, N& accum) const {
    accum = accum + grad * grad;
    const N rate = lr * (N(1) / sqrt(accum));
    var = drawn_to_zero(var - grad * rate, rate, l1, l2);
  }
};

}  // namespace

StepFn adagrad_step(DType type) { return pick_step<Adagrad>(type); }
StepFn adagrad_v2_step(DType type) { return pick_step<AdagradV2>(type); }
StepFn adagrad_da_step(DType type) { return pick_step<AdagradDA>(type); }
StepFn proximal_adagrad_step(DType type) { return pick_step<ProximalAdagrad>(type); }

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

extern const OpDecl kApplyAdagrad, kResourceApplyAdagrad, kSparseApplyAdagrad,
    kResourceSparseApplyAdagrad, kApplyAdagradV2, kResourceApplyAdagradV2, kSparseApplyAdagradV2,
    kResourceSparseApplyAdagradV2, kApplyAdagradDA, kResourceApplyAdagradDA, kSparseApplyAdagradDA,
    kResourceSparseApplyAdagradDA, kApplyProximalAdagrad, kResourceApplyProximalAdagrad,
    kSparseApplyProximalAdagrad, kResourceSparseApplyProximalAdagrad;

namespace {

HWY_EXPORT(adagrad_step);
HWY_EXPORT(adagrad_v2_step);
HWY_EXPORT(adagrad_da_step);
HWY_EXPORT(proximal_adagrad_step);

StepFn find_adagrad(DType type) { return HWY_DYNAMIC_DISPATCH(adagrad_step)(type); }
StepFn find_adagrad_v2(DType type) { return HWY_DYNAMIC_DISPATCH(adagrad_v2_step)(type); }
StepFn find_adagrad_da(DType type) { return HWY_DYNAMIC_DISPATCH(adagrad_da_step)(type); }
StepFn find_proximal_adagrad(DType type) {
  return HWY_DYNAMIC_DISPATCH(proximal_adagrad_step)(type);
}

constexpr KernelEntry kEntries[] = {
    step_entry<find_adagrad>(&kApplyAdagrad),
    step_entry<find_adagrad>(&kResourceApplyAdagrad),
    step_entry<find_adagrad>(&kSparseApplyAdagrad),
    step_entry<find_adagrad>(&kResourceSparseApplyAdagrad),
    step_entry<find_adagrad_v2>(&kApplyAdagradV2),
    step_entry<find_adagrad_v2>(&kResourceApplyAdagradV2),
    step_entry<find_adagrad_v2>(&kSparseApplyAdagradV2),
    step_entry<find_adagrad_v2>(&kResourceSparseApplyAdagradV2),
    step_entry<find_adagrad_da>(&kApplyAdagradDA),
    step_entry<find_adagrad_da>(&kResourceApplyAdagradDA),
    step_entry<find_adagrad_da>(&kSparseApplyAdagradDA),
    step_entry<find_adagrad_da>(&kResourceSparseApplyAdagradDA),
    step_entry<find_proximal_adagrad>(&kApplyProximalAdagrad),
    step_entry<find_proximal_adagrad>(&kResourceApplyProximalAdagrad),
    step_entry<find_proximal_adagrad>(&kSparseApplyProximalAdagrad),
    step_entry<find_proximal_adagrad>(&kResourceSparseApplyProximalAdagrad),
};

}  // namespace

extern const KernelTable kAdagradCpu{kEntries};

}  // namespace rill
#endif
