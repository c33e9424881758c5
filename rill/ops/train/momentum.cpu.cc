#include "rill/ops/train/optimizer_update.h"

#define HWY_TARGET_INCLUDE "rill/ops/train/momentum.cpu.cc"
#include "rill/ops/simd/each_target.h"

#include "rill/ops/train/optimizer_update-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rill::HWY_NAMESPACE {
namespace {

template <class N>
struct Momentum {
  static constexpr int kSlots = 1;
  N lr, momentum;
  bool nesterov;
  explicit Momentum(const UpdateData& d)
      : lr(N(d.scalar[0])), momentum(N(d.scalar[1])), nesterov(d.flag) {}
  void operator()(N grad, N& var, N& accum) const {
    accum = accum * momentum + grad;
    var = nesterov ? var - (grad * lr + accum * momentum * lr) : var - accum * lr;
  }
};

template <class N>
struct KerasMomentum {
  static constexpr int kSlots = 1;
  N lr, momentum;
  bool nesterov;
  explicit KerasMomentum(const UpdateData& d)
      : lr(N(d.scalar[0])), momentum(N(d.scalar[1])), nesterov(d.flag) {}
  void operator()(N grad, N& var, N& accum) const {
    accum = accum * momentum - grad * lr;
    var = nesterov ? var + (accum * momentum - grad * lr) : var + accum;
  }
};

}  // namespace

UpdateFn momentum_update(DType type) { return pick_update<Momentum>(type); }
UpdateFn keras_momentum_update(DType type) { return pick_update<KerasMomentum>(type); }

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

extern const OpDecl kApplyMomentum, kResourceApplyMomentum, kSparseApplyMomentum,
    kResourceSparseApplyMomentum, kResourceApplyKerasMomentum, kResourceSparseApplyKerasMomentum;

namespace {

RILL_DISPATCH_BY_TYPE(UpdateFn, find_momentum, momentum_update);
RILL_DISPATCH_BY_TYPE(UpdateFn, find_keras_momentum, keras_momentum_update);

constexpr KernelEntry kEntries[] = {
    update_entry<find_momentum>(&kApplyMomentum),
    update_entry<find_momentum>(&kResourceApplyMomentum),
    update_entry<find_momentum>(&kSparseApplyMomentum),
    update_entry<find_momentum>(&kResourceSparseApplyMomentum),
    update_entry<find_keras_momentum>(&kResourceApplyKerasMomentum),
    update_entry<find_keras_momentum>(&kResourceSparseApplyKerasMomentum),
};

}  // namespace

extern const KernelTable kMomentumCpu{kEntries};

}  // namespace rill
#endif
