#include "rill/ops/array/slice/scatter_nd_shape.h"

#include <algorithm>

namespace rill {
namespace {

// Dimensions [begin, begin + count) of both.
bool same_dims(const PartialShape& a, int a_begin, const PartialShape& b, int b_begin, int count) {
  for (int d = 0; d < count; ++d)
    if (!compatible(a.dim(a_begin + d), b.dim(b_begin + d))) return false;
  return true;
}

PartialShape dims_of(const PartialShape& shape, int begin, int count) {
  const auto first = static_cast<std::size_t>(std::clamp(begin, 0, shape.rank()));
  const auto most = static_cast<std::size_t>(shape.rank()) - first;
  return PartialShape(
      shape.dims().subspan(first, std::min(most, static_cast<std::size_t>(std::max(count, 0)))));
}

}  // namespace

void check_scatter_nd(const PartialShape& indices, const PartialShape& updates,
                      const PartialShape& target) {
  if (!indices.has_rank() || !updates.has_rank() || !target.has_rank()) return;
  const int outer = indices.rank() - 1;
  if (updates.rank() < outer || !same_dims(indices, 0, updates, 0, outer))
    require(
        false,
        when_run("Dimensions [0,", outer, ") of indices[shape=", indices,
                 "] must match dimensions [0,", outer, ") of updates[shape=", updates, "]"),
        when_built("The outer ", outer, " dimensions of indices.shape=", indices,
                   " must match the outer ", outer, " dimensions of updates.shape=", updates, ": ",
                   merge_refusal(dims_of(indices, 0, outer), dims_of(updates, 0, outer))));
  const std::int64_t depth = indices.dim(outer);
  if (depth < 0) return;
  const bool fits =
      depth <= target.rank() && updates.rank() - outer == target.rank() - depth &&
      same_dims(updates, outer, target, static_cast<int>(depth), updates.rank() - outer);
  if (fits) return;
  const int rest = target.rank() - static_cast<int>(depth), own = updates.rank() - outer;
  require(false,
          when_run("Dimensions [", depth, ",", target.rank(), ") of input[shape=", target,
                   "] must match dimensions [", outer, ",", updates.rank(),
                   ") of updates[shape=", updates, "]"),
          when_built("The inner ", rest, " dimensions of output.shape=", target,
                     " must match the inner ", own, " dimensions of updates.shape=", updates, ": ",
                     merge_refusal(dims_of(target, static_cast<int>(depth), rest),
                                   dims_of(updates, outer, own))));
}

}  // namespace rill
