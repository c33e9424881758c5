#include "rill/ops/train/optimizer_update.h"

#define HWY_TARGET_INCLUDE "rill/ops/train/rms_prop.cpu.cc"
#include "rill/ops/simd/each_target.h"

#include "rill/ops/train/optimizer_update-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rill::HWY_NAMESPACE {
namespace {

template <class N>
struct RmsProp {
  static constexpr int kSlots = 2;
  N lr, rho, momentum, epsilon;
  explicit RmsProp(const UpdateData& d)
      : lr(N(d.scalar[0])),
        rho(N(d.scalar[1])),
        momentum(N(d.scalar[2])),
        epsilon(N(d.scalar[3])) {}
  void operator()(N grad, N& var, N& ms, N& mom) const {
    ms = ms + (grad * grad - ms) * (N(1) - rho);
    mom = mom * momentum + (grad * lr) / sqrt(ms + epsilon);
    var = var - mom;
  }
};

template <class N>
struct CenteredRmsProp {
  static constexpr int kSlots = 3;
  N lr, rho, momentum, epsilon;
  explicit CenteredRmsProp(const UpdateData& d)
      : lr(N(d.scalar[0])),
        rho(N(d.scalar[1])),
        momentum(N(d.scalar[2])),
        epsilon(N(d.scalar[3])) {}
  void operator()(N grad, N& var, N& mg, N& ms, N& mom) const {
    ms = ms + (grad * grad - ms) * (N(1) - rho);
    mg = mg + (grad - mg) * (N(1) - rho);
    mom = mom * momentum + (grad * lr) / sqrt((ms - mg * mg) + epsilon);
    var = var - mom;
  }
};

}  // namespace

UpdateFn rms_prop_update(DType type) { return pick_update<RmsProp>(type); }
UpdateFn centered_rms_prop_update(DType type) { return pick_update<CenteredRmsProp>(type); }

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

extern const OpDecl kApplyRMSProp, kResourceApplyRMSProp, kSparseApplyRMSProp,
    kResourceSparseApplyRMSProp, kApplyCenteredRMSProp, kResourceApplyCenteredRMSProp,
    kSparseApplyCenteredRMSProp, kResourceSparseApplyCenteredRMSProp;

namespace {

RILL_DISPATCH_BY_TYPE(UpdateFn, find_rms_prop, rms_prop_update);
RILL_DISPATCH_BY_TYPE(UpdateFn, find_centered_rms_prop, centered_rms_prop_update);

constexpr KernelEntry kEntries[] = {
    update_entry<find_rms_prop>(&kApplyRMSProp),
    update_entry<find_rms_prop>(&kResourceApplyRMSProp),
    update_entry<find_rms_prop>(&kSparseApplyRMSProp),
    update_entry<find_rms_prop>(&kResourceSparseApplyRMSProp),
    update_entry<find_centered_rms_prop>(&kApplyCenteredRMSProp),
    update_entry<find_centered_rms_prop>(&kResourceApplyCenteredRMSProp),
    update_entry<find_centered_rms_prop>(&kSparseApplyCenteredRMSProp),
    update_entry<find_centered_rms_prop>(&kResourceSparseApplyCenteredRMSProp),
};

}  // namespace

extern const KernelTable kRmsPropCpu{kEntries};

}  // namespace rill
#endif
