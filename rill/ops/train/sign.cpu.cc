#include "rill/ops/train/optimizer_update.h"

#define HWY_TARGET_INCLUDE "rill/ops/train/sign.cpu.cc"
#include "rill/ops/simd/each_target.h"

#include "rill/ops/train/optimizer_update-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rill::HWY_NAMESPACE {
namespace {

template <class N>
struct AddSign {
  static constexpr int kSlots = 1;
  N lr, alpha, sign_decay, beta;
  explicit AddSign(const UpdateData& d)
      : lr(N(d.scalar[0])),
        alpha(N(d.scalar[1])),
        sign_decay(N(d.scalar[2])),
        beta(N(d.scalar[3])) {}
  void operator()(N grad, N& var, N& m) const {
    m = m * beta + grad * (N(1) - beta);
    var = var - lr * (alpha + sign_decay * sign(grad) * sign(m)) * grad;
  }
};

template <class N>
struct PowerSign {
  static constexpr int kSlots = 1;
  N lr, logbase, sign_decay, beta;
  explicit PowerSign(const UpdateData& d)
      : lr(N(d.scalar[0])),
        logbase(N(d.scalar[1])),
        sign_decay(N(d.scalar[2])),
        beta(N(d.scalar[3])) {}
  void operator()(N grad, N& var, N& m) const {
    m = m * beta + grad * (N(1) - beta);
    var = var - lr * exponential(logbase * sign_decay * sign(grad) * sign(m)) * grad;
  }
};

}  // namespace

UpdateFn add_sign_update(DType type) { return pick_update<AddSign>(type); }
UpdateFn power_sign_update(DType type) { return pick_update<PowerSign>(type); }

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

extern const OpDecl kApplyAddSign, kResourceApplyAddSign, kApplyPowerSign, kResourceApplyPowerSign;

namespace {

RILL_DISPATCH_BY_TYPE(UpdateFn, find_add_sign, add_sign_update);
RILL_DISPATCH_BY_TYPE(UpdateFn, find_power_sign, power_sign_update);

constexpr KernelEntry kEntries[] = {
    update_entry<find_add_sign>(&kApplyAddSign),
    update_entry<find_add_sign>(&kResourceApplyAddSign),
    update_entry<find_power_sign>(&kApplyPowerSign),
    update_entry<find_power_sign>(&kResourceApplyPowerSign),
};

}  // namespace

extern const KernelTable kSignCpu{kEntries};

}  // namespace rill
#endif
