#include <algorithm>

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

// Each value takes the gradient from its place, the default value those of all other places. The
// step fails where values were cut off.
void to_tensor_grad(GradCtx& g) {
  const auto kinds = g.node().attr<std::vector<std::string>>("row_partition_types");
  require(std::ranges::all_of(kinds, [](const auto& kind) { return kind == "ROW_SPLITS"; }),
          "RaggedTensorToTensor has a gradient for row partitions of type ROW_SPLITS only");
  const Output values = g.input(1), otherwise = g.input(2), dy = g.dy(0);
  std::vector<Input> splits;
  for (int i = 3; i < g.input_count(); ++i) splits.emplace_back(g.input(i));
  const Output places = g.scope().add("RaggedTensorToSparse", {splits, values}).output(0);
  const Output found = g.add("GatherNd", {dy, places});
  g.set(1, reshape(g, found, shape_of(g, values)));
  require(otherwise.shape().has_rank() && otherwise.shape().rank() == 0,
          "RaggedTensorToTensor has a gradient for a scalar default_value only");
  const auto sum = [&](const Output& x) {
    return g.add("Sum", {x, range(g, 0, rank_of(g, x), 1)});
  };
  g.set(2, sub(g, sum(dy), sum(found)));
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
