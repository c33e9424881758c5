#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

Shapes ragged_range_shape(const ShapeCtx& c) {
  std::int64_t rows = kUnknownDim;
  bool all_scalars = true;
  for (int i = 0; i < 3; ++i) {
    const PartialShape& shape = c.input(i);
    require(!shape.has_rank() || shape.rank() <= 1, c.op().inputs[static_cast<std::size_t>(i)].name,
            " must be a scalar or vector, but has shape ", shape);
    all_scalars &= shape.has_rank() && shape.rank() == 0;
    if (!shape.has_rank() || shape.rank() == 0) continue;
    require(compatible(rows, shape.dim(0)), "starts, limits, and deltas must have the same shape");
    rows = merge_dim(rows, shape.dim(0));
  }
  if (all_scalars) rows = 1;
  return {{rows < 0 ? kUnknownDim : rows + 1}, {kUnknownDim}};
}

}  // namespace

extern constexpr OpDecl kRaggedRange{
    .name = "RaggedRange",
    .doc = "A row for each start, limit and delta: the numbers from start to before limit.",
    .inputs = {"starts: T", "limits: T", "deltas: T"},
    .outputs = {"rt_nested_splits: Tsplits", "rt_dense_values: T"},
    .attrs = {"T: {bfloat16, float, double, int32, int64} = DT_INT32",
              "Tsplits: {int32, int64} = DT_INT64"},
    .traits = kPure | kDataDependentShape,
    .shape = ragged_range_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kRaggedRange));

}  // namespace rill
