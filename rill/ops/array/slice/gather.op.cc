#include "rill/graph/gradient_parts.h"
#include "rill/graph/kernel_work.h"
#include "rill/graph/op_decl.h"
#include "rill/ops/array/values/shape_values.h"

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

// Rows of dy belong to the rows of `params` that were read.
IndexedSlices gathered_rows(GradCtx& g, Output params_shape, Output indices) {
  const Output count = expand_dims(g, size_of(g, indices), 0);
  const Output row_shape = slice_vector(g, params_shape, 1, {});
  const Output values_shape = concat(g, {count, row_shape});
  const Output values = reshape(g, g.dy(), values_shape);
  return {values, reshape(g, indices, count), params_shape};
}

// The shape beside the tensor, which may be large.
Output int_shape(GradCtx& g, Output params) {
  Scope beside = g.scope().colocated_with(*params.node);
  return cast(beside, shape_of(beside, params, "Shape", DType::i64), DType::i32);
}

void gather_grad(GradCtx& g) {
  Scope beside = g.scope().colocated_with(*g.input(0).node);
  g.set(0, gathered_rows(g, shape_of(beside, g.input(0)), g.input(1)));
}

// x[start:stop] where a bound is a tensor.
Output slice_at(GradCtx& g, Output x, Input begin, Input end, std::int64_t begin_mask,
                std::int64_t end_mask) {
  Scope inner = g.scope().named("strided_slice");
  const auto bound = [&](const Input& value, const char* name) {
    return inner.add("Pack", {std::vector<Input>{value}}, {}, name).output();
  };
  const Output from = bound(begin, "stack"), to = bound(end, "stack_1");
  const Output stride = inner.constant(Tensor::vector<std::int32_t>({1}), "stack_2");
  return g.add("StridedSlice", {x, from, to, stride},
               {{"begin_mask", begin_mask}, {"end_mask", end_mask}}, inner.name() + "/");
}

// Along another dimension: that one comes first, rows are summed, and it goes back.
Output gathered_along(GradCtx& g, Output params_shape, Output indices, Output axis) {
  const Output zero = number(g, 0, DType::i32);
  const Output outer = slice_at(g, params_shape, zero, axis, 1, 0);
  const Output from_axis = slice_at(g, params_shape, axis, zero, 0, 1);
  const Output inner = slice_vector(g, from_axis, 1, {});
  const Output count = expand_dims(g, size_of(g, indices), 0);
  const Output values_shape = concat(g, {outer, count, inner});
  const Output rank = size_of(g, values_shape), outer_rank = size_of(g, outer);
  const Output outer_dims = range(g, 0, outer_rank, 1);
  const Output inner_dims = range(g, add(g, outer_rank, 1), rank, 1);
  const Output values = reshape(g, g.dy(), values_shape);
  const Output outer_list = expand_dims(g, outer_rank, 0);
  const Output perm = concat(g, {outer_list, outer_dims, inner_dims});
  const Output rows = transpose(g, values, perm);
  const Output row_count =
      reshape(g, gather(g, params_shape, axis), Tensor::vector<std::int32_t>({}));
  const Output sums = g.add("UnsortedSegmentSum", {rows, reshape(g, indices, count), row_count});
  const Output back =
      concat(g, {add(g, outer_dims, 1), Tensor::vector<std::int32_t>({0}), inner_dims});
  return transpose(g, sums, back);
}

// With batch dimensions: the one gathered along comes right behind them, all are seen as rows of
// one tensor, in which those of batch b start at b times the rows of a batch, and everything goes
// back.
Output gathered_in_batches(GradCtx& g, Output params_shape, Output indices, Output axis,
                           int batch_dims) {
  const Tensor whole = Tensor::vector<std::int32_t>({-1}), one = Tensor::vector<std::int32_t>({1});
  const Output zero = number(g, 0, DType::i32), row_count = gather(g, params_shape, axis);
  const Output outer = slice_at(g, params_shape, zero, axis, 1, 0);
  const Output inner = slice_vector(g, slice_at(g, params_shape, axis, zero, 0, 1), 1, {});
  const Output places = slice_vector(g, shape_of(g, indices), batch_dims, {});
  const Output count = reshape(g, prod_of_vector(g, places), one);  // indices in a batch
  const Output values_shape = concat(g, {outer, count, inner});
  const Output outer_rank = size_of(g, outer), rank = size_of(g, values_shape);
  const Output batch_list = range(g, 0, batch_dims, 1);
  const Output rest = range(g, batch_dims, outer_rank, 1);
  const Output inner_list = range(g, add(g, outer_rank, 1), rank, 1);
  const Output perm = concat(g, {batch_list, expand_dims(g, outer_rank, 0), rest, inner_list});
  const Output rows = transpose(g, reshape(g, g.dy(), values_shape), perm);
  const Output rows_shape = shape_of(g, rows),
               batches = slice_vector(g, rows_shape, {}, batch_dims);
  const Output row_shape = slice_vector(g, rows_shape, batch_dims + 1, {});
  const Output batch_count = prod_of_vector(g, batches);
  const Output starts = expand_dims(g, mul(g, range(g, 0, batch_count, 1), row_count), 1);
  const Output by_batch = concat(g, {reshape(g, batch_count, one), count});
  const Output numbers =
      add(g, reshape(g, indices, by_batch), cast(g, starts, base_type(indices.dtype())));
  const Output flat = concat(g, {reshape(g, mul(g, batch_count, count), one), row_shape});
  const Output sums =
      g.add("UnsortedSegmentSum",
            {reshape(g, rows, flat), reshape(g, numbers, whole), mul(g, batch_count, row_count)});
  const Output split = concat(g, {batches, reshape(g, row_count, one), row_shape});
  const Output back = concat(
      g, {batch_list, add(g, rest, 1), Tensor::vector<std::int32_t>({batch_dims}), inner_list});
  return transpose(g, reshape(g, sums, split), back);
}

// batch_dims may count from the end of the indices.
int batch_dims_of(GradCtx& g) {
  const auto given = g.attr<std::int64_t>("batch_dims");
  if (given >= 0) return static_cast<int>(given);
  const PartialShape& indices = g.input(1).shape();
  require(indices.has_rank(), "The gradient of GatherV2 with negative batch_dims needs indices of ",
          "known rank: node ", g.node().name());
  return static_cast<int>(given) + indices.rank();
}

void gather_v2_grad(GradCtx& g) {
  const Output params_shape = int_shape(g, g.input(0));
  const Tensor* axis = constant_value(g.input(2));
  if (const int batch_dims = batch_dims_of(g); batch_dims != 0) {
    const Output at = floormod(g, cast(g, g.input(2), DType::i32), size_of(g, params_shape));
    return g.set(0, gathered_in_batches(g, params_shape, g.input(1), at, batch_dims));
  }
  if (axis != nullptr && axis->dtype() == DType::i32 && axis->flat<std::int32_t>()[0] == 0)
    return g.set(0, gathered_rows(g, params_shape, g.input(1)));
  const Output at = floormod(g, cast(g, g.input(2), DType::i32), size_of(g, params_shape));
  g.set(0, gathered_along(g, params_shape, g.input(1), at));
}

void gather_nd_grad(GradCtx& g) {
  const Output params = g.input(0), indices = g.input(1);
  const Output shape = shape_of(g, params, base_type(indices.dtype()));
  const PartialShape& places = indices.shape();
  if (places.has_rank() && places.rank() == 2 && places.dim(1) == 1) {
    const Output rows =
        g.add("Squeeze", {indices}, {{"squeeze_dims", std::vector<std::int64_t>{-1}}});
    return g.set(0, IndexedSlices{g.dy(), rows, shape});
  }
  g.set(0, g.add("ScatterNd", {indices, g.dy(), shape}));
}

}  // namespace

extern constexpr OpDecl kGather{
    .name = "Gather",
    .doc = "The slices of `params` along its first dimension that `indices` name.",
    .inputs = {"params: Tparams", "indices: Tindices"},
    .outputs = {"output: Tparams"},
    .attrs = {"validate_indices: bool = true", "Tparams: type", "Tindices: {int32, int64}"},
    .traits = kPure | kPicks,
    .shape = gather_shape,
    .cost = no_flops,
    .grad = gather_grad,
};
static_assert(well_formed(kGather));

extern constexpr OpDecl kGatherV2{
    .name = "GatherV2",
    .doc = "The slices of `params` along dimension `axis` that `indices` name.",
    .inputs = {"params: Tparams", "indices: Tindices", "axis: Taxis"},
    .outputs = {"output: Tparams"},
    .attrs = {"batch_dims: int = 0", "Tparams: type", "Tindices: {int32, int64}",
              "Taxis: {int32, int64}"},
    .traits = kPure | kPicks,
    .shape = gather_v2_shape,
    .cost = no_flops,
    .grad = gather_v2_grad,
};
static_assert(well_formed(kGatherV2));

extern constexpr OpDecl kGatherNd{
    .name = "GatherNd",
    .doc = "The elements or slices of `params` at the places that the rows of `indices` name.",
    .inputs = {"params: Tparams", "indices: Tindices"},
    .outputs = {"output: Tparams"},
    .attrs = {"Tparams: type", "Tindices: {int32, int64}"},
    .traits = kPure | kPicks,
    .shape = gather_nd_output_shape,
    .grad = gather_nd_grad,
};
static_assert(well_formed(kGatherNd));

}  // namespace rill
