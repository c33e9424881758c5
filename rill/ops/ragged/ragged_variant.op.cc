#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

Shapes to_variant_shape(const ShapeCtx& c) {
  const int levels = c.input_count() - 1;
  for (int i = 0; i < levels; ++i) c.vector(i);
  c.with_rank_at_least(levels, 1);
  if (!c.flag("batched_input")) return {PartialShape::scalar()};
  const std::int64_t splits = c.vector(0).dim(0);
  require(splits != 0, "ragged splits may not be empty.");
  return {{splits < 0 ? kUnknownDim : splits - 1}};
}

Shapes from_variant_shape(const ShapeCtx& c) {
  const std::int64_t inner = c.attr<std::int64_t>("input_ragged_rank");
  const std::int64_t levels = c.attr<std::int64_t>("output_ragged_rank");
  const PartialShape& in = c.input(0);
  require(inner < 0 || !in.has_rank() || levels - in.rank() == inner,
          "output_ragged_rank must be equal to input_ragged_rank + encoded_ragged.rank; "
          "output_ragged_rank: ",
          levels, ", input_ragged_rank: ", inner, ", encoded_ragged.rank: ", in.rank());
  Shapes out(static_cast<std::size_t>(levels), PartialShape{kUnknownDim});
  out.push_back(PartialShape());
  return out;
}

}  // namespace

extern constexpr OpDecl kRaggedTensorToVariant{
    .name = "RaggedTensorToVariant",
    .doc = "A ragged tensor as one variant or, when it is a batch, each of its rows as one.",
    .inputs = {"rt_nested_splits: RAGGED_RANK * Tsplits", "rt_dense_values: Tvalues"},
    .outputs = {"encoded_ragged: variant"},
    .attrs = {"RAGGED_RANK: int >= 1", "Tvalues: type", "Tsplits: {int32, int64}",
              "batched_input: bool"},
    .traits = kPure | kDataDependentShape,
    .shape = to_variant_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kRaggedTensorToVariant));

extern constexpr OpDecl kRaggedTensorFromVariant{
    .name = "RaggedTensorFromVariant",
    .doc = "The ragged tensor that a tensor of variants holds, its dimensions outermost.",
    .inputs = {"encoded_ragged: variant"},
    .outputs = {"output_nested_splits: output_ragged_rank * Tsplits",
                "output_dense_values: Tvalues"},
    .attrs = {"input_ragged_rank: int >= -1", "output_ragged_rank: int >= 1", "Tvalues: type",
              "Tsplits: {int32, int64}"},
    .traits = kPure | kDataDependentShape,
    .shape = from_variant_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kRaggedTensorFromVariant));

}  // namespace rill
