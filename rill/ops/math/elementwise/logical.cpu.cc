#include "rill/ops/math/rows/elementwise.h"

#define HWY_TARGET_INCLUDE "rill/ops/math/elementwise/logical.cpu.cc"
#include "rill/ops/simd/each_target.h"

#include "rill/ops/math/rows/rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rill::HWY_NAMESPACE {
namespace {

struct AndOp {
  bool operator()(bool x, bool y) const { return x & y; }
};
struct OrOp {
  bool operator()(bool x, bool y) const { return x | y; }
};
struct NotOp {
  // On bytes, which the compiler vectorises as it does not the negation of bools.
  std::uint8_t operator()(std::uint8_t x) const { return x ^ 1; }
};

}  // namespace

BinaryRows and_rows(DType type) { return pick_three<AndOp, bool>(type); }
BinaryRows or_rows(DType type) { return pick_three<OrOp, bool>(type); }
UnaryRows not_rows(DType) { return pick_unary<NotOp, std::uint8_t>(DType::u8); }

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

extern const OpDecl kLogicalAnd, kLogicalOr, kLogicalNot;

namespace {

RILL_DISPATCH_BY_TYPE(BinaryRows, find_and, and_rows);
RILL_DISPATCH_BY_TYPE(BinaryRows, find_or, or_rows);
RILL_DISPATCH_BY_TYPE(UnaryRows, find_not, not_rows);

constexpr KernelEntry kEntries[] = {
    binary_entry<find_and>(&kLogicalAnd, {}),
    binary_entry<find_or>(&kLogicalOr, {}),
    unary_entry<find_not>(&kLogicalNot, {}),
};

}  // namespace

extern const KernelTable kLogicalCpu{kEntries};

}  // namespace rill
#endif
