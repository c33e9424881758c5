#include "rill/graph/op_decl.h"
#include "rill/ops/linalg/matrix_gradients.h"
#include "rill/ops/linalg/matrix_shapes.h"

namespace rill {
namespace {

// From x[i, j] y[k, l] the matrix with that number in row (i, k) and column (j, l).
Output kronecker(GradCtx& g, Output x, Output y, Output shape) {
  const Output left = expand_dims(g, expand_dims(g, x, -1), -3);
  const Output right = expand_dims(g, expand_dims(g, y, -2), -4);
  return reshape(g, mul(g, left, right), shape);
}

// With X the root and D what arrives, the gradient G solves X* G + G X* = D: a linear system for
// the elements of G, row by row.
void square_root_grad(GradCtx& g) {
  const Output root = adjoint(g, g.output()), one = identity_like(g, root);
  const Output shape = shape_of(g, root);
  const Output batch = slice_vector(g, shape, {}, -2), n = slice_vector(g, shape, -1, {});
  const Output all = mul(g, n, n);
  const Output transposed = conj(g, g.output());
  const Output matrix_shape = concat(g, {batch, all, all});
  const Output system =
      add(g, kronecker(g, root, one, matrix_shape), kronecker(g, one, transposed, matrix_shape));
  const Output column = reshape(
      g, g.dy(), concat(g, {batch, all, g.scope().constant(Tensor::vector<std::int32_t>({1}))}));
  g.set(0, reshape(g, g.add("MatrixSolve", {system, column}), shape));
}

}  // namespace

extern constexpr OpDecl kMatrixExponential{
    .name = "MatrixExponential",
    .doc = "The exponential functions of square matrices.",
    .inputs = {"input: T"},
    .outputs = {"output: T"},
    .attrs = {"T: {double, float, half, complex64, complex128}"},
    .traits = kPure,
    .shape = square_shape,
    .grad = no_gradient,
    .deprecated = 27,
    .deprecated_why = "Use Python implementation tf.linalg.matrix_exponential instead.",
};
static_assert(well_formed(kMatrixExponential));

extern constexpr OpDecl kMatrixLogarithm{
    .name = "MatrixLogarithm",
    .doc = "The principal logarithms of square matrices.",
    .inputs = {"input: T"},
    .outputs = {"output: T"},
    .attrs = {"T: {complex64, complex128}"},
    .traits = kPure,
    .shape = square_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kMatrixLogarithm));

extern constexpr OpDecl kMatrixSquareRoot{
    .name = "MatrixSquareRoot",
    .doc = "The principal square roots of square matrices.",
    .inputs = {"input: T"},
    .outputs = {"output: T"},
    .attrs = {"T: {double, float, half, complex64, complex128}"},
    .traits = kPure,
    .shape = square_shape,
    .grad = square_root_grad,
};
static_assert(well_formed(kMatrixSquareRoot));

}  // namespace rill
