#include "rill/ops/train/step.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "rill/ops/train/ftrl.cpu.cc"
#include "rill/ops/simd/each_target.h"

#include "rill/ops/train/step-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rill::HWY_NAMESPACE {
namespace {

// `shrinkage` is zero for the first version of the op.
template <class N>
struct FtrlStep {
  static constexpr int kSlots = 2;
  N lr, l1, l2, shrinkage, lr_power;
  N power(N accum) const {
    return lr_power == N(-0.5f) ? sqrt(accum) : raised(accum, N(0) - lr_power);
  }
  void operator()(N grad, N& var, N& accum, N& linear) const {
    const N new_accum = accum + grad * grad;
    const N shrunk = grad + N(2) * shrinkage * var;
    linear = linear + (shrunk - (power(new_accum) - power(accum)) / lr * var);
    const N pulled = smaller(larger(linear, N(0) - l1), l1) - linear;
    var = pulled / (power(new_accum) / lr + N(2) * l2);
    accum = new_accum;
  }
};

template <class N>
struct Ftrl : FtrlStep<N> {
  explicit Ftrl(const StepData& d)
      : FtrlStep<N>{N(d.scalar[0]), N(d.scalar[1]), N(d.scalar[2]), N(0), N(d.scalar[3])} {}
};

template <class N>
struct FtrlV2 : FtrlStep<N> {
  explicit FtrlV2(const StepData& d)
      : FtrlStep<N>{N(d.scalar[0]), N(d.scalar[1]), N(d.scalar[2]), N(d.scalar[3]),
                    N(d.scalar[4])} {}
};

}  // namespace

StepFn ftrl_step(DType type) { return pick_step<Ftrl>(type); }
StepFn ftrl_v2_step(DType type) { return pick_step<FtrlV2>(type); }

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

extern const OpDecl kApplyFtrl, kResourceApplyFtrl, kSparseApplyFtrl, kResourceSparseApplyFtrl,
    kApplyFtrlV2, kResourceApplyFtrlV2, kSparseApplyFtrlV2, kResourceSparseApplyFtrlV2;

namespace {

HWY_EXPORT(ftrl_step);
HWY_EXPORT(ftrl_v2_step);

StepFn find_ftrl(DType type) { return HWY_DYNAMIC_DISPATCH(ftrl_step)(type); }
StepFn find_ftrl_v2(DType type) { return HWY_DYNAMIC_DISPATCH(ftrl_v2_step)(type); }

constexpr KernelEntry kEntries[] = {
    step_entry<find_ftrl>(&kApplyFtrl),
    step_entry<find_ftrl>(&kResourceApplyFtrl),
    step_entry<find_ftrl>(&kSparseApplyFtrl),
    step_entry<find_ftrl>(&kResourceSparseApplyFtrl),
    step_entry<find_ftrl_v2>(&kApplyFtrlV2),
    step_entry<find_ftrl_v2>(&kResourceApplyFtrlV2),
    step_entry<find_ftrl_v2>(&kSparseApplyFtrlV2),
    step_entry<find_ftrl_v2>(&kResourceSparseApplyFtrlV2),
};

}  // namespace

extern const KernelTable kFtrlCpu{kEntries};

}  // namespace rill
#endif
