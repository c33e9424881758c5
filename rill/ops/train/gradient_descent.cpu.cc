#include "rill/ops/train/optimizer_update.h"

#define HWY_TARGET_INCLUDE "rill/ops/train/gradient_descent.cpu.cc"
#include "rill/ops/simd/each_target.h"

#include "rill/ops/train/optimizer_update-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rill::HWY_NAMESPACE {
namespace {

template <class N>
struct Descent {
  static constexpr int kSlots = 0;
  N alpha;
  explicit Descent(const UpdateData& d) : alpha(N(d.scalar[0])) {}
  void operator()(N delta, N& var) const { var = var - alpha * delta; }
};

template <class N>
struct ProximalDescent {
  static constexpr int kSlots = 0;
  N alpha, l1, l2;
  explicit ProximalDescent(const UpdateData& d)
      : alpha(N(d.scalar[0])), l1(N(d.scalar[1])), l2(N(d.scalar[2])) {}
  void operator()(N delta, N& var) const {
    var = drawn_to_zero(var - delta * alpha, alpha, l1, l2);
  }
};

}  // namespace

UpdateFn descent_update(DType type) { return pick_update<Descent>(type); }
UpdateFn proximal_descent_update(DType type) { return pick_update<ProximalDescent>(type); }

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

extern const OpDecl kApplyGradientDescent, kResourceApplyGradientDescent,
    kApplyProximalGradientDescent, kResourceApplyProximalGradientDescent,
    kSparseApplyProximalGradientDescent, kResourceSparseApplyProximalGradientDescent;

namespace {

RILL_DISPATCH_BY_TYPE(UpdateFn, find_descent, descent_update);
RILL_DISPATCH_BY_TYPE(UpdateFn, find_proximal_descent, proximal_descent_update);

constexpr KernelEntry kEntries[] = {
    update_entry<find_descent>(&kApplyGradientDescent),
    update_entry<find_descent>(&kResourceApplyGradientDescent),
    update_entry<find_proximal_descent>(&kApplyProximalGradientDescent),
    update_entry<find_proximal_descent>(&kResourceApplyProximalGradientDescent),
    update_entry<find_proximal_descent>(&kSparseApplyProximalGradientDescent),
    update_entry<find_proximal_descent>(&kResourceSparseApplyProximalGradientDescent),
};

}  // namespace

extern const KernelTable kGradientDescentCpu{kEntries};

}  // namespace rill
#endif
