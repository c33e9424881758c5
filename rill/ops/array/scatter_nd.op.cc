#include "rill/graph/gradient_parts.h"
#include "rill/graph/op_decl.h"
#include "rill/ops/array/shape_values.h"

namespace rill {
namespace {

Shapes scatter_nd_shape(const ShapeCtx& c) {
  const PartialShape indices = c.with_rank_at_least(0, 1);
  const PartialShape& updates = c.input(1);
  const PartialShape out = known_dims(c, 2);
  if (!indices.has_rank() || !updates.has_rank() || !out.has_rank()) return {out};
  const int outer = indices.rank() - 1;
  const std::int64_t depth = indices.dim(outer);
  require(updates.rank() >= outer, "Dimensions [0,", outer, ") of indices[shape=", indices,
          "] must match dimensions [0,", outer, ") of updates[shape=", updates, "]");
  for (int d = 0; d < outer; ++d)
    require(compatible(indices.dim(d), updates.dim(d)), "Dimensions [0,", outer,
            ") of indices[shape=", indices, "] must match dimensions [0,", outer,
            ") of updates[shape=", updates, "]");
  if (depth < 0) return {out};
  const bool fits = depth <= out.rank() && updates.rank() - outer == out.rank() - depth;
  require(fits, "Dimensions [", depth, ",", out.rank(), ") of input[shape=", out,
          "] must match dimensions [", outer, ",", updates.rank(), ") of updates[shape=", updates,
          "]");
  for (int d = outer; d < updates.rank(); ++d)
    require(compatible(updates.dim(d), out.dim(static_cast<int>(depth) + d - outer)),
            "Dimensions [", depth, ",", out.rank(), ") of input[shape=", out,
            "] must match dimensions [", outer, ",", updates.rank(), ") of updates[shape=", updates,
            "]");
  return {out};
}

void scatter_nd_grad(GradCtx& g) { g.set(1, g.add("GatherNd", {g.dy(), g.input(0)})); }

}  // namespace

extern constexpr OpDecl kScatterNd{
    .name = "ScatterNd",
    .doc =
        "Zeros of shape `shape` with `updates` added at the places that the rows of `indices` "
        "name.",
    .inputs = {"indices: Tindices", "updates: T", "shape: Tindices"},
    .outputs = {"output: T"},
    .attrs = {"T: type", "Tindices: {int32, int64}"},
    .traits = kPure,
    .shape = scatter_nd_shape,
    .grad = scatter_nd_grad,
};
static_assert(well_formed(kScatterNd));

}  // namespace rill
