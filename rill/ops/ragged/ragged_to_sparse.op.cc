#include "rill/graph/gradient_parts.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

Shapes to_sparse_shape(const ShapeCtx& c) {
  const int levels = c.input_count() - 1;
  for (int i = 0; i < levels; ++i) c.vector(i);
  const PartialShape values = c.with_rank_at_least(levels, 1);
  const std::int64_t rank = values.has_rank() ? levels + values.rank() : kUnknownDim;
  const std::int64_t count = values.has_rank() ? values.element_count() : kUnknownDim;
  return {{count, rank}, {count}, {rank}};
}

void to_sparse_grad(GradCtx& g) {
  const int values = g.input_count() - 1;
  g.set(values, reshape(g, g.dy(1), shape_of(g, g.input(values))));
}

}  // namespace

extern constexpr OpDecl kRaggedTensorToSparse{
    .name = "RaggedTensorToSparse",
    .doc = "A ragged tensor as a sparse one that has its values where they were.",
    .inputs = {"rt_nested_splits: RAGGED_RANK * Tsplits", "rt_dense_values: T"},
    .outputs = {"sparse_indices: int64", "sparse_values: T", "sparse_dense_shape: int64"},
    .attrs = {"RAGGED_RANK: int >= 1", "T: type", "Tsplits: {int32, int64} = DT_INT64"},
    .traits = kPure,
    .shape = to_sparse_shape,
    .grad = to_sparse_grad,
};
static_assert(well_formed(kRaggedTensorToSparse));

}  // namespace rill
