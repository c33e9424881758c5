#include "rill/graph/gradient_parts.h"
#include "rill/graph/op_decl.h"
#include "rill/ops/array/values/shape_values.h"
#include "rill/ops/sparse/sparse_shape.h"

namespace rill {
namespace {

Shapes sparse_to_dense_shape(const ShapeCtx& c) {
  c.vector(1);
  return {known_dims(c, 1)};
}

Output sum_of_all(GradCtx& g, Output x) { return g.add("Sum", {x, range(g, 0, rank_of(g, x), 1)}); }

void sparse_to_dense_grad(GradCtx& g) {
  const Output dy = g.dy();
  const Output at_places = g.add("GatherNd", {dy, g.input(0)});
  g.set(2, at_places);
  g.set(3, sub(g, sum_of_all(g, dy), sum_of_all(g, at_places)));
}

Shapes sparse_tensor_dense_add_shape(const ShapeCtx& c) {
  sparse_dims(c, 0);
  return {c.input(3)};
}

void sparse_tensor_dense_add_grad(GradCtx& g) {
  g.set(1, g.add("GatherNd", {g.dy(), g.input(0)}));
  g.set(3, g.dy());
}

}  // namespace

extern constexpr OpDecl kSparseToDense{
    .name = "SparseToDense",
    .doc =
        "A tensor of `output_shape` with `sparse_values` at `sparse_indices` and `default_value` "
        "elsewhere.",
    .inputs = {"sparse_indices: Tindices", "output_shape: Tindices", "sparse_values: T",
               "default_value: T"},
    .outputs = {"dense: T"},
    .attrs = {"validate_indices: bool = true", "T: type", "Tindices: {int32, int64}"},
    .traits = kPure,
    .shape = sparse_to_dense_shape,
    .grad = sparse_to_dense_grad,
};
static_assert(well_formed(kSparseToDense));

extern constexpr OpDecl kSparseTensorDenseAdd{
    .name = "SparseTensorDenseAdd",
    .doc = "The sum of a sparse tensor and a dense one of the same shape.",
    .inputs = {"a_indices: Tindices", "a_values: T", "a_shape: Tindices", "b: T"},
    .outputs = {"output: T"},
    .attrs = {"T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, "
              "qint32, bfloat16, uint16, complex128, half, uint32, uint64}",
              "Tindices: {int32, int64}"},
    .traits = kPure,
    .shape = sparse_tensor_dense_add_shape,
    .grad = sparse_tensor_dense_add_grad,
};
static_assert(well_formed(kSparseTensorDenseAdd));

}  // namespace rill
