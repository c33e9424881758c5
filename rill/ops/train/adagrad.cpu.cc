#include "rill/ops/train/optimizer_update.h"

#define HWY_TARGET_INCLUDE "rill/ops/train/adagrad.cpu.cc"
#include "rill/ops/simd/each_target.h"

#include "rill/ops/train/optimizer_update-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rill::HWY_NAMESPACE {
namespace {

template <class N>
struct Adagrad {
  static constexpr int kSlots = 1;
  N lr;
  bool update_slots;
  explicit Adagrad(const UpdateData& d) : lr(N(d.scalar[0])), update_slots(d.flag) {}
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
  explicit AdagradV2(const UpdateData& d)
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
  explicit AdagradDA(const UpdateData& d)
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
  explicit ProximalAdagrad(const UpdateData& d)
      : lr(N(d.scalar[0])), l1(N(d.scalar[1])), l2(N(d.scalar[2])) {}
  void operator()(N grad, N& var, N& accum) const {
    accum = accum + grad * grad;
    const N rate = lr * (N(1) / sqrt(accum));
    var = drawn_to_zero(var - grad * rate, rate, l1, l2);
  }
};

}  // namespace

UpdateFn adagrad_update(DType type) { return pick_update<Adagrad>(type); }
UpdateFn adagrad_v2_step(DType type) { return pick_update<AdagradV2>(type); }
UpdateFn adagrad_da_update(DType type) { return pick_update<AdagradDA>(type); }
UpdateFn proximal_adagrad_update(DType type) { return pick_update<ProximalAdagrad>(type); }

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

RILL_DISPATCH_BY_TYPE(UpdateFn, find_adagrad, adagrad_update);
RILL_DISPATCH_BY_TYPE(UpdateFn, find_adagrad_v2, adagrad_v2_step);
RILL_DISPATCH_BY_TYPE(UpdateFn, find_adagrad_da, adagrad_da_update);
RILL_DISPATCH_BY_TYPE(UpdateFn, find_proximal_adagrad, proximal_adagrad_update);

constexpr KernelEntry kEntries[] = {
    update_entry<find_adagrad>(&kApplyAdagrad),
    update_entry<find_adagrad>(&kResourceApplyAdagrad),
    update_entry<find_adagrad>(&kSparseApplyAdagrad),
    update_entry<find_adagrad>(&kResourceSparseApplyAdagrad),
    update_entry<find_adagrad_v2>(&kApplyAdagradV2),
    update_entry<find_adagrad_v2>(&kResourceApplyAdagradV2),
    update_entry<find_adagrad_v2>(&kSparseApplyAdagradV2),
    update_entry<find_adagrad_v2>(&kResourceSparseApplyAdagradV2),
    update_entry<find_adagrad_da>(&kApplyAdagradDA),
    update_entry<find_adagrad_da>(&kResourceApplyAdagradDA),
    update_entry<find_adagrad_da>(&kSparseApplyAdagradDA),
    update_entry<find_adagrad_da>(&kResourceSparseApplyAdagradDA),
    update_entry<find_proximal_adagrad>(&kApplyProximalAdagrad),
    update_entry<find_proximal_adagrad>(&kResourceApplyProximalAdagrad),
    update_entry<find_proximal_adagrad>(&kSparseApplyProximalAdagrad),
    update_entry<find_proximal_adagrad>(&kResourceSparseApplyProximalAdagrad),
};

}  // namespace

extern const KernelTable kAdagradCpu{kEntries};

}  // namespace rill
#endif
