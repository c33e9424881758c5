#include "rill/graph/gradient_parts.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"
#include "rill/ops/ragged/row_partition.h"

namespace rill {
namespace {

Shapes to_tensor_shape(const ShapeCtx& c) {
  const auto kinds = row_partitions(c.attr<std::vector<std::string>>("row_partition_types"),
                                    static_cast<std::size_t>(c.input_count() - 3));
  const PartialShape values = c.with_rank_at_least(1, 1), &fallback = c.input(2);
  require(!values.has_rank() || !fallback.has_rank() || fallback.rank() < values.rank(),
          "default_value.shape=", fallback, " and rt_input.flat_values.shape=", values,
          " are incompatible: default_value.rank = ", fallback.rank(),
          "  must be less than rt_input.flat_values.rank = ", values.rank());
  if (!values.has_rank()) return {PartialShape()};
  const int rank = ragged_rank(kinds) + values.rank();
  PartialShape out = PartialShape::of_rank(rank);
  for (int d = 1; d < values.rank(); ++d) out = out.with_dim(ragged_rank(kinds) + d, values.dim(d));
  const PartialShape& asked = c.input(0);
  if (!asked.has_rank() || asked.rank() == 0) return {out};
  const PartialShape wanted = c.shape_value(0);
  if (!wanted.has_rank()) return {out};
  require(wanted.rank() == rank, "rt_input.shape and shape=", wanted,
          " are incompatible: rt_input.rank = ", rank, " but shape.rank = ", wanted.rank());
  for (int d = 0; d < rank; ++d) {
    require(d <= ragged_rank(kinds) || compatible(out.dim(d), wanted.dim(d)),
            "rt_input.shape and shape=", wanted, " are incompatible: rt_input.shape[", d,
            "] = ", out.dim(d), " but shape[", d, "] = ", wanted.dim(d));
    if (wanted.dim(d) >= 0) out = out.with_dim(d, wanted.dim(d));
  }
  return {out};
}

// The numbers of the values, from 1, made dense as the values were, say whose each place of the
// result is (0: the default value's). The gradients of one number, summed, are then those of one
// value; values that were cut off have no place and a gradient of zero.
void to_tensor_grad(GradCtx& g) {
  const auto& kinds = g.attr<std::vector<std::string>>("row_partition_types");
  const Output values = g.input(1), otherwise = g.input(2);
  std::vector<Input> partitions;
  for (int i = 3; i < g.input_count(); ++i) partitions.emplace_back(g.input(i));
  const int outer = 1 + ragged_rank(row_partitions(kinds, partitions.size()));
  const Output shape = shape_of(g, values), numbers = add(g, slice_vector(g, shape, 0, 1, true), 1);
  const Output owners = g.add("RaggedTensorToTensor",
                              {slice_vector(g, shape_of(g, g.output()), 0, outer),
                               range(g, 1, numbers, 1), number(g, 0, DType::i32), partitions},
                              {{"row_partition_types", kinds}});
  const Output all = number(g, -1, DType::i32);
  const Output each = concat(g, {expand_dims(g, all, 0), slice_vector(g, shape, 1, {})});
  const Output sums =
      g.add("UnsortedSegmentSum",
            {reshape(g, g.dy(), each), reshape(g, owners, expand_dims(g, all, 0)), numbers});
  g.set(1, slice_vector(g, sums, 1, {}));
  const Output beside = slice_vector(g, sums, 0, 1, true);
  g.set(2, Broadcast(g, otherwise, beside).to_x(beside));
}

}  // namespace

extern constexpr OpDecl kRaggedTensorToTensor{
    .name = "RaggedTensorToTensor",
    .doc =
        "A ragged tensor as a dense one of `shape`, where -1 is as long as needed: rows are cut or "
        "filled up with `default_value`.",
    .inputs = {"shape: Tshape", "values: T", "default_value: T",
               "row_partition_tensors: num_row_partition_tensors * Tindex"},
    .outputs = {"result: T"},
    .attrs = {"T: type", "Tindex: {int64, int32}", "Tshape: {int64, int32}",
              "num_row_partition_tensors: int >= 1", "row_partition_types: list(string)"},
    .traits = kPure | kDataDependentShape,
    .shape = to_tensor_shape,
    .grad = to_tensor_grad,
};
static_assert(well_formed(kRaggedTensorToTensor));

}  // namespace rill
