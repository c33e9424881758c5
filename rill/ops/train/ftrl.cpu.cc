#include "rill/ops/train/optimizer_update.h"

#define HWY_TARGET_INCLUDE "rill/ops/train/ftrl.cpu.cc"
#include "rill/ops/simd/each_target.h"

#include "rill/ops/train/optimizer_update-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rill::HWY_NAMESPACE {
namespace {

// `shrinkage` is zero for the first version of the op. The usual lr_power, -1/2, is a type of its
// own: its loop is without calls.
template <class N, bool square_root>
struct FtrlUpdate {
  static constexpr int kSlots = 2;
  N lr, l1, l2, shrinkage, lr_power;
  N power(N accum) const {
    if constexpr (square_root)
      return sqrt(accum);
    else
      return raised(accum, N(0) - lr_power);
  }
  void operator()(N grad, N& var, N& accum, N& linear) const {
    const N new_accum = accum + grad * grad;
    const N shrunk = grad + N(2) * shrinkage * var;
    const N new_power = power(new_accum);
    linear = linear + (shrunk - (new_power - power(accum)) / lr * var);
    const N pulled = smaller(larger(linear, N(0) - l1), l1) - linear;
    var = pulled / (new_power / lr + N(2) * l2);
    accum = new_accum;
  }
};

template <class N, bool square_root>
struct Ftrl : FtrlUpdate<N, square_root> {
  static constexpr int kPowerAt = 3;  // where lr_power stands among the scalars
  explicit Ftrl(const UpdateData& d)
      : FtrlUpdate<N, square_root>{N(d.scalar[0]), N(d.scalar[1]), N(d.scalar[2]), N(0),
                                   N(d.scalar[kPowerAt])} {}
};

template <class N, bool square_root>
struct FtrlV2 : FtrlUpdate<N, square_root> {
  static constexpr int kPowerAt = 4;
  explicit FtrlV2(const UpdateData& d)
      : FtrlUpdate<N, square_root>{N(d.scalar[0]), N(d.scalar[1]), N(d.scalar[2]), N(d.scalar[3]),
                                   N(d.scalar[kPowerAt])} {}
};

// The two rules of one version, as update_row takes them.
template <template <class, bool> class Version>
struct Rules {
  template <class N>
  using Root = Version<N, true>;
  template <class N>
  using Power = Version<N, false>;
};

template <template <class, bool> class Version, class T>
void ftrl_row(const UpdateData& data, std::size_t at, std::size_t grad_at, std::size_t n) {
  using N = Number<T>;
  if (N(data.scalar[Version<N, true>::kPowerAt]) == N(-0.5f))
    return update_row<Rules<Version>::template Root, T>(data, at, grad_at, n);
  update_row<Rules<Version>::template Power, T>(data, at, grad_at, n);
}

template <template <class, bool> class Version>
UpdateFn pick_row(DType type) {
  switch (type) {
    case DType::f32:
      return ftrl_row<Version, float>;
    case DType::f64:
      return ftrl_row<Version, double>;
    case DType::f16:
      return ftrl_row<Version, half>;
    case DType::bf16:
      return ftrl_row<Version, bfloat16>;
    default:
      return nullptr;
  }
}

}  // namespace

UpdateFn ftrl_update(DType type) { return pick_row<Ftrl>(type); }
UpdateFn ftrl_v2_step(DType type) { return pick_row<FtrlV2>(type); }

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

extern const OpDecl kApplyFtrl, kResourceApplyFtrl, kSparseApplyFtrl, kResourceSparseApplyFtrl,
    kApplyFtrlV2, kResourceApplyFtrlV2, kSparseApplyFtrlV2, kResourceSparseApplyFtrlV2;

namespace {

RILL_DISPATCH_BY_TYPE(UpdateFn, find_ftrl, ftrl_update);
RILL_DISPATCH_BY_TYPE(UpdateFn, find_ftrl_v2, ftrl_v2_step);

constexpr KernelEntry kEntries[] = {
    update_entry<find_ftrl>(&kApplyFtrl),
    update_entry<find_ftrl>(&kResourceApplyFtrl),
    update_entry<find_ftrl>(&kSparseApplyFtrl),
    update_entry<find_ftrl>(&kResourceSparseApplyFtrl),
    update_entry<find_ftrl_v2>(&kApplyFtrlV2),
    update_entry<find_ftrl_v2>(&kResourceApplyFtrlV2),
    update_entry<find_ftrl_v2>(&kSparseApplyFtrlV2),
    update_entry<find_ftrl_v2>(&kResourceSparseApplyFtrlV2),
};

}  // namespace

extern const KernelTable kFtrlCpu{kEntries};

}  // namespace rill
#endif
