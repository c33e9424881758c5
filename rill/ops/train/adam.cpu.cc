#include "rill/ops/train/optimizer_update.h"

#define HWY_TARGET_INCLUDE "rill/ops/train/adam.cpu.cc"
#include "rill/ops/simd/each_target.h"

#include "rill/ops/train/optimizer_update-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rill::HWY_NAMESPACE {
namespace {

template <class N>
struct Adam {
  static constexpr int kSlots = 2;
  N alpha, beta1, beta2, epsilon;
  bool nesterov;
  explicit Adam(const UpdateData& d)
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
  explicit AdamWithAmsgrad(const UpdateData& d)
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
  explicit AdaMax(const UpdateData& d)
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

UpdateFn adam_update(DType type) { return pick_update<Adam>(type); }
UpdateFn amsgrad_update(DType type) { return pick_update<AdamWithAmsgrad>(type); }
UpdateFn ada_max_update(DType type) { return pick_update<AdaMax>(type); }

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

extern const OpDecl kApplyAdam, kResourceApplyAdam, kResourceApplyAdamWithAmsgrad, kApplyAdaMax,
    kResourceApplyAdaMax;

namespace {

RILL_DISPATCH_BY_TYPE(UpdateFn, find_adam, adam_update);
RILL_DISPATCH_BY_TYPE(UpdateFn, find_amsgrad, amsgrad_update);
RILL_DISPATCH_BY_TYPE(UpdateFn, find_ada_max, ada_max_update);

constexpr KernelEntry kEntries[] = {
    update_entry<find_adam>(&kApplyAdam),
    update_entry<find_adam>(&kResourceApplyAdam),
    update_entry<find_amsgrad>(&kResourceApplyAdamWithAmsgrad),
    update_entry<find_ada_max>(&kApplyAdaMax),
    update_entry<find_ada_max>(&kResourceApplyAdaMax),
};

}  // namespace

extern const KernelTable kAdamCpu{kEntries};

}  // namespace rill
#endif
