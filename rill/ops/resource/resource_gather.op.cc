#include "rill/graph/gradient_parts.h"
#include "rill/graph/kernel_work.h"
#include "rill/graph/op_decl.h"
#include "rill/ops/array/values/shape_values.h"

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

// Rows of dy belong to the rows of the variable that were read.
void resource_gather_grad(GradCtx& g) {
  if (g.attr<std::int64_t>("batch_dims") != 0)
    raise(Code::kUnimplemented,
          "The gradient of ResourceGather with batch_dims other than 0: ", "node ",
          g.node().name());
  const Output handle = g.input(0), indices = g.input(1);
  const HandleInfo* info = handle.node->output_handle(handle.index);
  const Output shape = info != nullptr && info->shape.is_full()
                           ? g.scope().constant(int_vector(info->shape.dims()), "Const")
                           : g.add("VariableShape", {handle});
  const Output count = expand_dims(g, size_of(g, indices), 0);
  const Output values_shape = concat(g, {count, slice_vector(g, shape, 1, {})});
  const Output values = reshape(g, g.dy(), values_shape);
  g.set(0, IndexedSlices{values, reshape(g, indices, count), shape});
}

void resource_gather_nd_grad(GradCtx& g) {
  const Output handle = g.input(0), indices = g.input(1);
  const Output shape = g.add("VariableShape", {handle}, {{"out_type", base_type(indices.dtype())}});
  const PartialShape& places = indices.shape();
  if (places.has_rank() && places.rank() == 2 && places.dim(1) == 1) {
    const Output rows =
        g.add("Squeeze", {indices}, {{"squeeze_dims", std::vector<std::int64_t>{-1}}});
    return g.set(0, IndexedSlices{g.dy(), rows, shape});
  }
  g.set(0, g.add("ScatterNd", {indices, g.dy(), shape}));
}

}  // namespace

extern constexpr OpDecl kResourceGather{
    .name = "ResourceGather",
    .doc = "The slices of a variable that `indices` name.",
    .inputs = {"resource: resource", "indices: Tindices"},
    .outputs = {"output: dtype"},
    .attrs = {"batch_dims: int = 0", "validate_indices: bool = true", "dtype: type",
              "Tindices: {int32, int64}"},
    .traits = kStateful | kPicks | kRepeatable | kNoLastingEffect,
    .shape = resource_gather_shape,
    .cost = no_flops,
    .grad = resource_gather_grad,
};
static_assert(well_formed(kResourceGather));

extern constexpr OpDecl kResourceGatherNd{
    .name = "ResourceGatherNd",
    .doc = "The elements or slices of a variable that the rows of `indices` name.",
    .inputs = {"resource: resource", "indices: Tindices"},
    .outputs = {"output: dtype"},
    .attrs = {"dtype: type", "Tindices: {int32, int64}"},
    .traits = kStateful | kNoLastingEffect,
    .shape = resource_gather_nd_shape,
    .grad = resource_gather_nd_grad,
};
static_assert(well_formed(kResourceGatherNd));

}  // namespace rill
