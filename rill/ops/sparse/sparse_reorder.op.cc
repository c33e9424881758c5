#include "rill/graph/gradient_parts.h"
#include "rill/graph/op_decl.h"
#include "rill/ops/sparse/sparse_shape.h"

namespace rill {
namespace {

Shapes sparse_reorder_shape(const ShapeCtx& c) {
  const SparseDims dims = sparse_dims(c, 0);
  return {dims.indices(), {dims.count}};
}

// Positions, reordered along with the indices, tell where each gradient belongs.
void sparse_reorder_grad(GradCtx& g) {
  const Output count = slice_vector(g, shape_of(g, g.input(0)), 0, 1, true);
  const Output positions = range(g, 0, count, 1);
  Node& moved = g.scope().add("SparseReorder", {g.input(0), positions, g.input(2)});
  const Output back = g.add("InvertPermutation", {moved.output(1)});
  g.set(1, gather(g, g.dy(1), back));
}

Shapes sparse_reshape_shape(const ShapeCtx& c) {
  const PartialShape indices = c.with_rank(0, 2), shape = c.vector(1), target = c.vector(2);
  require(compatible(indices.dim(1), shape.dim(0)),
          "Input tensor rank must match input shape length.");
  return {{indices.dim(0), target.dim(0)}, target};
}

}  // namespace

extern constexpr OpDecl kSparseReorder{
    .name = "SparseReorder",
    .doc = "The same sparse tensor with its elements in row-major order.",
    .inputs = {"input_indices: int64", "input_values: T", "input_shape: int64"},
    .outputs = {"output_indices: int64", "output_values: T"},
    .attrs = {"T: type"},
    .traits = kPure,
    .shape = sparse_reorder_shape,
    .grad = sparse_reorder_grad,
};
static_assert(well_formed(kSparseReorder));

extern constexpr OpDecl kSparseReshape{
    .name = "SparseReshape",
    .doc =
        "The indices of the elements under another dense shape of as many elements; one dimension "
        "may be -1.",
    .inputs = {"input_indices: int64", "input_shape: int64", "new_shape: int64"},
    .outputs = {"output_indices: int64", "output_shape: int64"},
    .traits = kPure,
    .shape = sparse_reshape_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kSparseReshape));

}  // namespace rill
