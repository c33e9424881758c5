#include "rill/graph/op_decl.h"
#include "rill/ops/linalg/matrix_gradients.h"
#include "rill/ops/linalg/matrix_shapes.h"

namespace rill {
namespace {

Shapes cholesky_grad_shape(const ShapeCtx& c) {
  const MatrixShape l = square_input(c, 0), grad = square_input(c, 1);
  require(compatible(l.rows, grad.rows) && l.batch.is_compatible(grad.batch),
          "Inputs (L and grad) must have the same shape, not ", c.input(0), " and ", c.input(1));
  return {c.input(0).merged(c.input(1))};
}

// Half of what goes to both triangles: the input is taken for symmetric.
void cholesky_gradient(GradCtx& g) {
  const Output l = g.output();
  const Output inverse = solve_triangular(g, l, identity_like(g, l), true, false);
  const Output product = matmul(g, l, g.dy(), Turn::kAdjoint);
  const Output middle = lower_part(g, half_diagonal(g, product));
  const Output one_side = matmul(g, matmul(g, inverse, middle, Turn::kAdjoint), inverse);
  g.set(0, scaled(g, add(g, one_side, adjoint(g, one_side)), 0.5));
}

}  // namespace

extern constexpr OpDecl kCholesky{
    .name = "Cholesky",
    .doc =
        "The lower triangular L with input = L L*, for positive definite matrices, of which only "
        "the lower triangle is read.",
    .inputs = {"input: T"},
    .outputs = {"output: T"},
    .attrs = {"T: {double, float, half, complex64, complex128}"},
    .traits = kPure,
    .shape = square_shape,
    .grad = cholesky_gradient,
};
static_assert(well_formed(kCholesky));

extern constexpr OpDecl kCholeskyGrad{
    .name = "CholeskyGrad",
    .doc = "The gradient of Cholesky from its output l and the gradient that arrives there.",
    .inputs = {"l: T", "grad: T"},
    .outputs = {"output: T"},
    .attrs = {"T: {half, float, double}"},
    .traits = kPure,
    .shape = cholesky_grad_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kCholeskyGrad));

extern constexpr OpDecl kBatchCholesky{
    .name = "BatchCholesky",
    .doc = "Cholesky under its first name.",
    .inputs = {"input: T"},
    .outputs = {"output: T"},
    .attrs = {"T: {double, float}"},
    .traits = kPure,
    .shape = square_shape,
    .grad = no_gradient,
    .deprecated = 13,
    .deprecated_why = "Use Cholesky instead.",
};
static_assert(well_formed(kBatchCholesky));

extern constexpr OpDecl kBatchCholeskyGrad{
    .name = "BatchCholeskyGrad",
    .doc = "CholeskyGrad under its first name.",
    .inputs = {"l: T", "grad: T"},
    .outputs = {"output: T"},
    .attrs = {"T: {float, double}"},
    .traits = kPure,
    .shape = cholesky_grad_shape,
    .grad = no_gradient,
    .deprecated = 13,
    .deprecated_why = "Use CholeskyGrad instead.",
};
static_assert(well_formed(kBatchCholeskyGrad));

}  // namespace rill
