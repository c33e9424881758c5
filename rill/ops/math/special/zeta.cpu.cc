#include "rill/ops/math/special/zeta.h"

#include "rill/ops/math/rows/double_rows.h"

namespace rill {

extern const OpDecl kZeta, kPolygamma;

namespace {

constexpr int kZetaCost = 300;

constexpr KernelEntry kEntries[] = {
    binary_entry<find_double_binary<zeta, kZetaCost>>(&kZeta, kDoubleRowTypes),
    binary_entry<find_double_binary<polygamma, kZetaCost>>(&kPolygamma, kDoubleRowTypes),
};

}  // namespace

extern const KernelTable kZetaCpu{kEntries};

}  // namespace rill
