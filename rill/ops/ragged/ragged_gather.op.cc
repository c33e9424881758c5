#include "rill/graph/gradient_parts.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

Shapes ragged_gather_shape(const ShapeCtx& c) {
  const auto levels = static_cast<int>(c.attr<std::int64_t>("PARAMS_RAGGED_RANK"));
  const std::int64_t out_levels = c.attr<std::int64_t>("OUTPUT_RAGGED_RANK");
  for (int i = 0; i < levels; ++i) c.vector(i);
  const PartialShape values = c.with_rank_at_least(levels, 1), &indices = c.input(levels + 1);
  require(!indices.has_rank() || out_levels == levels + indices.rank() - 1,
          "OUTPUT_RAGGED_RANK must be PARAMS_RAGGED_RANK + indices.rank - 1, which is ",
          levels + indices.rank() - 1, ", not ", out_levels);
  Shapes out(static_cast<std::size_t>(out_levels), PartialShape{kUnknownDim});
  out.push_back(values.has_rank() ? values.with_dim(0, kUnknownDim) : PartialShape());
  return out;
}

// Gradients go to the values that each gathered row covers.
void ragged_gather_grad(GradCtx& g) {
  const int levels = g.input_count() - 2;
  const Output values = g.input(levels), indices = g.input(levels + 1);
  Output covered = g.input(0);
  for (int i = 1; i < levels; ++i) covered = gather(g, g.input(i), covered);
  const std::int64_t all[] = {-1};
  const Output rows = reshape(g, indices, int_vector(all));
  const Output ends = slice_vector(g, covered, 1, std::nullopt);
  const DType type = base_type(covered.dtype());
  Node& places = g.scope().add(
      "RaggedRange", {gather(g, covered, rows), gather(g, ends, rows), number(g, 1, type)},
      {{"Tsplits", type}});
  g.set(levels, IndexedSlices{.values = g.dy(g.node().output_count() - 1),
                              .indices = places.output(1),
                              .dense_shape = shape_of(g, values)});
}

}  // namespace

extern constexpr OpDecl kRaggedGather{
    .name = "RaggedGather",
    .doc = "The rows of a ragged tensor that `indices` name, as a ragged tensor.",
    .inputs = {"params_nested_splits: PARAMS_RAGGED_RANK * Tsplits", "params_dense_values: Tvalues",
               "indices: Tindices"},
    .outputs = {"output_nested_splits: OUTPUT_RAGGED_RANK * Tsplits",
                "output_dense_values: Tvalues"},
    .attrs = {"Tvalues: type", "Tindices: {int32, int64}", "Tsplits: {int32, int64} = DT_INT64",
              "PARAMS_RAGGED_RANK: int >= 1", "OUTPUT_RAGGED_RANK: int >= 0"},
    .traits = kPure | kDataDependentShape,
    .shape = ragged_gather_shape,
    .grad = ragged_gather_grad,
};
static_assert(well_formed(kRaggedGather));

}  // namespace rill
