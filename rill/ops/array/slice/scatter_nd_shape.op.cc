#include "rill/ops/array/slice/scatter_nd_shape.h"

namespace rill {
namespace {

// Dimensions [begin, begin + count) of both.
bool same_dims(const PartialShape& a, int a_begin, const PartialShape& b, int b_begin, int count) {
  for (int d = 0; d < count; ++d)
    if (!compatible(a.dim(a_begin + d), b.dim(b_begin + d))) return false;
  return true;
}

}  // namespace

void check_scatter_nd(const PartialShape& indices, const PartialShape& updates,
                      const PartialShape& target) {
  if (!indices.has_rank() || !updates.has_rank() || !target.has_rank()) return;
  const int outer = indices.rank() - 1;
  require(updates.rank() >= outer && same_dims(indices, 0, updates, 0, outer), "Dimensions [0,",
          outer, ") of indices[shape=", indices, "] must match dimensions [0,", outer,
          ") of updates[shape=", updates, "]");
  const std::int64_t depth = indices.dim(outer);
  if (depth < 0) return;
  const bool fits =
      depth <= target.rank() && updates.rank() - outer == target.rank() - depth &&
      same_dims(updates, outer, target, static_cast<int>(depth), updates.rank() - outer);
  require(fits, "Dimensions [", depth, ",", target.rank(), ") of input[shape=", target,
          "] must match dimensions [", outer, ",", updates.rank(), ") of updates[shape=", updates,
          "]");
}

}  // namespace rill
