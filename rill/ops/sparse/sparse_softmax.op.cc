#include "rill/graph/gradient_parts.h"
#include "rill/graph/op_decl.h"
#include "rill/ops/sparse/sparse_shape.h"

namespace rill {
namespace {

Shapes softmax_shape(const ShapeCtx& c) {
  const SparseDims dims = sparse_dims(c, 0);
  return {{dims.count}};
}

// y (dy - the sum of y dy over its row).
void softmax_grad(GradCtx& g) {
  const Output indices = g.input(0), shape = g.input(2), y = g.output(), dy = g.dy();
  const Output product = mul(g, y, dy);
  const std::int64_t last[] = {-1};
  const Output sums = neg(g, g.add("SparseReduceSum", {indices, product, shape, int_vector(last)},
                                   {{"keep_dims", true}}));
  const Output centred = g.add("SparseDenseCwiseAdd", {indices, dy, shape, sums});
  g.set(1, mul(g, centred, y));
}

}  // namespace

extern constexpr OpDecl kSparseSoftmax{
    .name = "SparseSoftmax",
    .doc = "Softmax over the elements that each row, along the last dimension, has.",
    .inputs = {"sp_indices: int64", "sp_values: T", "sp_shape: int64"},
    .outputs = {"output: T"},
    .attrs = {"T: {float, double}"},
    .traits = kPure,
    .shape = softmax_shape,
    .grad = softmax_grad,
};
static_assert(well_formed(kSparseSoftmax));

}  // namespace rill
