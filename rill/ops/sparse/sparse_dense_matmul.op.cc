#include "rill/graph/gradient_parts.h"
#include "rill/graph/op_decl.h"
#include "rill/ops/sparse/sparse_shape.h"

namespace rill {
namespace {

Shapes sparse_dense_matmul_shape(const ShapeCtx& c) {
  sparse_dims(c, 0);
  const PartialShape shape = c.vector(2);
  require(compatible(shape.dim(0), 2), "Tensor 'a_shape' must have 2 elements, but has ",
          shape.dim(0));
  std::int64_t rows = kUnknownDim, inner = kUnknownDim;
  std::vector<std::int64_t> dims;
  if (c.dim_values(2, &dims) && dims.size() == 2) {
    for (const std::int64_t dim : dims)
      require(dim >= 0, when_run("Dimension ", dim, " of a_shape must be >= 0"),
              when_built_alone("Invalid value in tensor used for shape: ", dim));
    rows = dims[0];
    inner = dims[1];
  } else if (const PartialShape partly = c.shape_value(2); partly.rank() == 2) {
    rows = partly[0];
    inner = partly[1];
  }
  if (c.flag("adjoint_a")) std::swap(rows, inner);
  const auto [inner_b, columns] = c.matrix(3, c.flag("adjoint_b"));
  require(compatible(inner, inner_b),
          when_run("Cannot multiply A and B because inner dimension does not match: ", inner,
                   " vs. ", inner_b, ". Did you forget a transpose?"),
          when_built("Dimensions must be equal, but are ", inner, " and ", inner_b));
  return {{rows, columns}};
}

Output transposed(GradCtx& g, Output x) {
  const std::int64_t swapped[] = {1, 0};
  return transpose(g, x, int_vector(swapped));
}

Output adjoint(GradCtx& g, Output x) { return conj(g, transposed(g, x)); }

// For the product, the sparse operand the other way round. For the values, the rows of dy and of b
// that meet in each of them.
void sparse_dense_matmul_grad(GradCtx& g) {
  const bool adj_a = g.attr<bool>("adjoint_a"), adj_b = g.attr<bool>("adjoint_b");
  const Output indices = g.input(0), values = g.input(1), dy = g.dy();
  Output db =
      g.add("SparseTensorDenseMatMul", {indices, values, g.input(2), dy}, {{"adjoint_a", !adj_a}});
  if (adj_b) db = adjoint(g, db);
  g.set(3, db);
  const auto column = [&](int d) {
    const std::int64_t begin[] = {0, d}, end[] = {0, d + 1}, step[] = {1, 1};
    return g.add("StridedSlice", {indices, int_vector(begin), int_vector(end), int_vector(step)},
                 {{"begin_mask", 1}, {"end_mask", 1}, {"shrink_axis_mask", 2}}, "strided_slice");
  };
  const Output rows = column(0), cols = column(1);
  const Output dy_rows = gather(g, dy, adj_a ? cols : rows);
  const Output b = adj_b ? adjoint(g, g.input(3)) : g.input(3);
  const Output b_rows = gather(g, b, adj_a ? rows : cols);
  // conj(a) multiplies where A is turned, and a otherwise: so do their gradients.
  const Output product =
      adj_a ? mul(g, conj(g, dy_rows), b_rows) : mul(g, dy_rows, conj(g, b_rows));
  g.set(1, g.add("Sum", {product, 1}));
}

}  // namespace

extern constexpr OpDecl kSparseTensorDenseMatMul{
    .name = "SparseTensorDenseMatMul",
    .doc = "The product of a sparse matrix and a dense one, each turned and conjugated if asked.",
    .inputs = {"a_indices: Tindices", "a_values: T", "a_shape: int64", "b: T"},
    .outputs = {"product: T"},
    .attrs = {"T: type", "Tindices: {int32, int64} = DT_INT64", "adjoint_a: bool = false",
              "adjoint_b: bool = false"},
    .traits = kPure,
    .shape = sparse_dense_matmul_shape,
    .grad = sparse_dense_matmul_grad,
};
static_assert(well_formed(kSparseTensorDenseMatMul));

}  // namespace rill
