#include "rill/ops/train/optimizer_update.h"

#define HWY_TARGET_INCLUDE "rill/ops/train/adadelta.cpu.cc"
#include "rill/ops/simd/each_target.h"

#include "rill/ops/train/optimizer_update-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rill::HWY_NAMESPACE {
namespace {

template <class N>
struct Adadelta {
  static constexpr int kSlots = 2;
  N lr, rho, epsilon;
  explicit Adadelta(const UpdateData& d)
      : lr(N(d.scalar[0])), rho(N(d.scalar[1])), epsilon(N(d.scalar[2])) {}
  void operator()(N grad, N& var, N& accum, N& accum_update) const {
    accum = accum * rho + grad * grad * (N(1) - rho);
    const N update = sqrt(accum_update + epsilon) * (N(1) / sqrt(accum + epsilon)) * grad;
    var = var - update * lr;
    accum_update = accum_update * rho + update * update * (N(1) - rho);
  }
};

}  // namespace

UpdateFn adadelta_update(DType type) { return pick_update<Adadelta>(type); }

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

extern const OpDecl kApplyAdadelta, kResourceApplyAdadelta, kSparseApplyAdadelta,
    kResourceSparseApplyAdadelta;

namespace {

RILL_DISPATCH_BY_TYPE(UpdateFn, find_adadelta, adadelta_update);

constexpr KernelEntry kEntries[] = {
    update_entry<find_adadelta>(&kApplyAdadelta),
    update_entry<find_adadelta>(&kResourceApplyAdadelta),
    update_entry<find_adadelta>(&kSparseApplyAdadelta),
    update_entry<find_adadelta>(&kResourceSparseApplyAdadelta),
};

}  // namespace

extern const KernelTable kAdadeltaCpu{kEntries};

}  // namespace rill
#endif
