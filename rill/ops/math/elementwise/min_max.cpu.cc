#include "rill/ops/math/rows/elementwise.h"

#define HWY_TARGET_INCLUDE "rill/ops/math/elementwise/min_max.cpu.cc"
#include "rill/ops/simd/each_target.h"

#include "rill/ops/math/rows/rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rill::HWY_NAMESPACE {
namespace {

// NaN wins from either side; of equal operands, such as 0 and -0, the first is taken.
struct MaximumOp {
  template <class T>
  T operator()(T x, T y) const {
    return (x >= y) | (x != x) ? x : y;
  }
};
struct MinimumOp {
  template <class T>
  T operator()(T x, T y) const {
    return (x <= y) | (x != x) ? x : y;
  }
};

}  // namespace

BinaryRows maximum_rows(DType type) {
  return pick_three<MaximumOp, float, double, std::int32_t, std::int64_t>(type);
}
BinaryRows minimum_rows(DType type) {
  return pick_three<MinimumOp, float, double, std::int32_t, std::int64_t>(type);
}

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

extern const OpDecl kMaximum, kMinimum;

namespace {

RILL_DISPATCH_BY_TYPE(BinaryRows, find_maximum, maximum_rows);
RILL_DISPATCH_BY_TYPE(BinaryRows, find_minimum, minimum_rows);

constexpr TypeSet kTypes = kFloatTypes | DType::i32 | DType::i64;

constexpr KernelEntry kEntries[] = {
    binary_entry<find_maximum>(&kMaximum, kTypes),
    binary_entry<find_minimum>(&kMinimum, kTypes),
};

}  // namespace

extern const KernelTable kMinMaxCpu{kEntries};

}  // namespace rill
#endif
