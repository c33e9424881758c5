#include "rill/ops/math/zeta.h"

#include "rill/ops/math/double_rows.h"

namespace rill {

extern const OpDecl kZeta, kPolygamma;

namespace {

constexpr TypeSet kTypes = DType::f32 | DType::f64;
constexpr int kCost = 300;

constexpr KernelEntry kEntries[] = {
    binary_entry<find_double_binary<zeta, kCost>>(&kZeta, kTypes),
    binary_entry<find_double_binary<polygamma, kCost>>(&kPolygamma, kTypes),
};

}  // namespace

extern const KernelTable kZetaCpu{kEntries};

}  // namespace rill
