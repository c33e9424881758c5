#include "rill/graph/op_decl.h"
#include "rill/ops/array/shape_values.h"

namespace rill {
namespace {

Shapes gather_shape(const ShapeCtx& c) {
  const PartialShape params = c.with_rank_at_least(0, 1);
  if (!params.has_rank() || !c.input(1).has_rank()) return {PartialShape()};
  PartialShape out = c.input(1);
  for (int d = 1; d < params.rank(); ++d) out.add_dim(params.dim(d));
  return {out};
}

PartialShape gathered(const PartialShape& params, const PartialShape& indices, int axis,
                      int batch_dims) {
  PartialShape out = PartialShape::scalar();
  for (int d = 0; d < axis; ++d) {
    if (d < batch_dims)
      require(compatible(params.dim(d), indices.dim(d)), "params.shape[", d, "]: ", params.dim(d),
              " should be equal to indices.shape[", d, "]: ", indices.dim(d));
    out.add_dim(d < batch_dims ? merge_dim(params.dim(d), indices.dim(d)) : params.dim(d));
  }
  for (int d = batch_dims; d < indices.rank(); ++d) out.add_dim(indices.dim(d));
  for (int d = axis + 1; d < params.rank(); ++d) out.add_dim(params.dim(d));
  return out;
}

Shapes gather_v2_shape(const ShapeCtx& c) {
  const PartialShape params = c.with_rank_at_least(0, 1);
  const PartialShape& indices = c.input(1);
  require(!c.input(2).has_rank() || c.input(2).rank() == 0, "axis must be scalar");
  if (!params.has_rank() || !indices.has_rank()) return {PartialShape()};
  std::int64_t axis = 0, batch_dims = c.attr<std::int64_t>("batch_dims");
  require(batch_dims >= -indices.rank() && batch_dims <= indices.rank(),
          "Expected batch_dims in the range [", -indices.rank(), ", ", indices.rank(),
          "], but got ", batch_dims);
  if (batch_dims < 0) batch_dims += indices.rank();
  if (!c.int_value(2, &axis))
    return {
        PartialShape::of_rank(params.rank() - 1 + indices.rank() - static_cast<int>(batch_dims))};
  const int rank = params.rank();
  require(axis >= -rank && axis < rank, "Shape must be at least rank ", rank_with(axis),
          " but is rank ", rank);
  if (axis < 0) axis += rank;
  require(batch_dims <= axis, "batch_dims (", batch_dims, ") must be less than or equal to axis (",
          axis, ").");
  return {gathered(params, indices, static_cast<int>(axis), static_cast<int>(batch_dims))};
}

Shapes gather_nd_output_shape(const ShapeCtx& c) {
  const PartialShape& params = c.input(0);
  const PartialShape indices = c.with_rank_at_least(1, 1);
  if (!params.has_rank() || !indices.has_rank()) return {PartialShape()};
  const int last = indices.rank() - 1;
  const std::int64_t depth = indices.dim(last);
  if (depth < 0) return {PartialShape()};
  require(depth <= params.rank(),
          "index innermost dimension length must be <= params rank; saw: ", depth, " vs. ",
          params.rank());
  PartialShape out(indices.dims().first(static_cast<std::size_t>(last)));
  for (auto d = static_cast<int>(depth); d < params.rank(); ++d) out.add_dim(params.dim(d));
  return {out};
}

}  // namespace

extern constexpr OpDecl kGather{
    .name = "Gather",
    .doc = "The slices of `params` along its first dimension that `indices` name.",
    .inputs = {"params: Tparams", "indices: Tindices"},
    .outputs = {"output: Tparams"},
    .attrs = {"validate_indices: bool = true", "Tparams: type", "Tindices: {int32, int64}"},
    .traits = kPure,
    .shape = gather_shape,
};
static_assert(well_formed(kGather));

extern constexpr OpDecl kGatherV2{
    .name = "GatherV2",
    .doc = "The slices of `params` along dimension `axis` that `indices` name.",
    .inputs = {"params: Tparams", "indices: Tindices", "axis: Taxis"},
    .outputs = {"output: Tparams"},
    .attrs = {"batch_dims: int = 0", "Tparams: type", "Tindices: {int32, int64}",
              "Taxis: {int32, int64}"},
    .traits = kPure,
    .shape = gather_v2_shape,
};
static_assert(well_formed(kGatherV2));

extern constexpr OpDecl kGatherNd{
    .name = "GatherNd",
    .doc = "The elements or slices of `params` at the places that the rows of `indices` name.",
    .inputs = {"params: Tparams", "indices: Tindices"},
    .outputs = {"output: Tparams"},
    .attrs = {"Tparams: type", "Tindices: {int32, int64}"},
    .traits = kPure,
    .shape = gather_nd_output_shape,
};
static_assert(well_formed(kGatherNd));

}  // namespace rill
