#include "rill/graph/op_decl.h"
#include "rill/ops/array/shape_values.h"

namespace rill {
namespace {

Shapes resource_gather_shape(const ShapeCtx& c) {
  const HandleInfo* handle = c.handle(0);
  const PartialShape& indices = c.input(1);
  if (handle == nullptr || !handle->shape.has_rank() || !indices.has_rank())
    return {PartialShape()};
  const PartialShape& params = handle->shape;
  auto batch_dims = c.attr<std::int64_t>("batch_dims");
  if (batch_dims < 0) batch_dims += indices.rank();
  require(params.rank() > batch_dims && batch_dims >= 0 && batch_dims <= indices.rank(),
          "Shape must be at least rank ", rank_with(batch_dims), " but is rank ", params.rank());
  PartialShape out = indices;
  for (auto d = static_cast<int>(batch_dims) + 1; d < params.rank(); ++d)
    out.add_dim(params.dim(d));
  return {out};
}

Shapes resource_gather_nd_shape(const ShapeCtx& c) {
  const HandleInfo* handle = c.handle(0);
  const PartialShape indices = c.with_rank_at_least(1, 1);
  if (handle == nullptr || !handle->shape.has_rank() || !indices.has_rank())
    return {PartialShape()};
  const int last = indices.rank() - 1;
  const std::int64_t depth = indices.dim(last);
  if (depth < 0) return {PartialShape()};
  require(depth <= handle->shape.rank(), "indices.shape[-1] must be <= params.rank, but saw ",
          "indices shape: ", indices, " and params shape: ", handle->shape);
  PartialShape out(indices.dims().first(static_cast<std::size_t>(last)));
  for (auto d = static_cast<int>(depth); d < handle->shape.rank(); ++d)
    out.add_dim(handle->shape.dim(d));
  return {out};
}

}  // namespace

extern constexpr OpDecl kResourceGather{
    .name = "ResourceGather",
    .doc = "The slices of a variable that `indices` name.",
    .inputs = {"resource: resource", "indices: Tindices"},
    .outputs = {"output: dtype"},
    .attrs = {"batch_dims: int = 0", "validate_indices: bool = true", "dtype: type",
              "Tindices: {int32, int64}"},
    .traits = kStateful,
    .shape = resource_gather_shape,
};
static_assert(well_formed(kResourceGather));

extern constexpr OpDecl kResourceGatherNd{
    .name = "ResourceGatherNd",
    .doc = "The elements or slices of a variable that the rows of `indices` name.",
    .inputs = {"resource: resource", "indices: Tindices"},
    .outputs = {"output: dtype"},
    .attrs = {"dtype: type", "Tindices: {int32, int64}"},
    .traits = kStateful,
    .shape = resource_gather_nd_shape,
};
static_assert(well_formed(kResourceGatherNd));

}  // namespace rill
