#include "rill/graph/flow_builders.h"
#include "rill/graph/op_decl.h"
#include "rill/ops/linalg/matrix_gradients.h"
#include "rill/ops/linalg/matrix_shapes.h"

namespace rill {
namespace {

Shapes least_squares_shape(const ShapeCtx& c) {
  const MatrixShape a = matrix_input(c, 0), b = matrix_input(c, 1);
  require(c.input(2).rank() <= 0, "l2_regularizer must be scalar, got shape ", c.input(2),
          ". Shape must be rank 0");
  require(a.batch.is_compatible(b.batch), "All input tensors must have the same outer dimensions: ",
          "Dimensions must be equal, but are in ", c.input(0), " and ", c.input(1));
  require_same_rows(a.rows, b.rows);
  return {batch_with(a.batch.merged(b.batch), {a.columns, b.columns})};
}

// The Cholesky factor of A* A, or A A*, with the regulariser added to the diagonal.
Output regularized_factor(GradCtx& g, bool first_adjoint) {
  const Output a = g.input(0);
  const Output gram = first_adjoint ? matmul(g, a, a, Turn::kAdjoint)
                                    : matmul(g, a, a, Turn::kNone, Turn::kAdjoint);
  const Output added = cast(g, g.input(2), base_type(a.dtype()));
  return g.add("Cholesky", {set_diag(g, gram, add(g, diag_part(g, gram), added))});
}

Output solve_by_factor(GradCtx& g, Output factor, Output rhs) {
  return solve_triangular(g, factor, solve_triangular(g, factor, rhs, true, false), true, true);
}

struct Grads {
  Output matrix, rhs;
};

Grads tall_grads(GradCtx& g) {
  const Output a = g.input(0), b = g.input(1), x = g.output();
  const Output z = solve_by_factor(g, regularized_factor(g, true), g.dy());
  const Output xz = matmul(g, x, z, Turn::kNone, Turn::kAdjoint);
  const Output both = add(g, xz, adjoint(g, xz));
  const Output from_b = matmul(g, b, z, Turn::kNone, Turn::kAdjoint);
  return {sub(g, from_b, matmul(g, a, both)), matmul(g, a, z)};
}

Grads wide_grads(GradCtx& g) {
  const Output a = g.input(0), dy = g.dy();
  const Output factor = regularized_factor(g, false);
  const Output db = solve_by_factor(g, factor, matmul(g, a, dy));
  const Output tmp = solve_by_factor(g, factor, g.input(1));
  const Output a1 = neg(g, matmul(g, db, matmul(g, tmp, a, Turn::kAdjoint)));
  const Output a2 = sub(g, dy, matmul(g, a, db, Turn::kAdjoint));
  return {add(g, a1, matmul(g, tmp, a2, Turn::kNone, Turn::kAdjoint)), db};
}

// Where the sizes are known only when the graph runs.
void grads_by_size(GradCtx& g) {
  const Output shape = shape_of(g, g.input(0));
  const Output is_tall = g.add(
      "GreaterEqual", {slice_vector(g, shape, -2, -1, true), slice_vector(g, shape, -1, {}, true)});
  const Output dy = g.dy();
  CondBuilder cond(g.scope().named("cond"), is_tall);
  Grads results[2];
  for (const bool tall : {false, true}) {
    GradCtx branch(cond.branch(tall), g.node(), {Gradient(dy)});
    const Grads grads = tall ? tall_grads(branch) : wide_grads(branch);
    results[tall] = {cond.result(tall, grads.matrix), cond.result(tall, grads.rhs)};
  }
  g.set(0, cond.merge(results[0].matrix, results[1].matrix));
  g.set(1, cond.merge(results[0].rhs, results[1].rhs));
}

void least_squares_grad(GradCtx& g) {
  if (!g.attr<bool>("fast")) raise(Code::kUnimplemented, "Gradient not defined for fast=False");
  const PartialShape& shape = g.input(0).shape();
  const std::int64_t rows = shape.has_rank() ? shape.dim(shape.rank() - 2) : kUnknownDim;
  const std::int64_t columns = shape.has_rank() ? shape.dim(shape.rank() - 1) : kUnknownDim;
  if (rows < 0 || columns < 0) return grads_by_size(g);
  const Grads grads = rows >= columns ? tall_grads(g) : wide_grads(g);
  g.set(0, grads.matrix);
  g.set(1, grads.rhs);
}

}  // namespace

extern constexpr OpDecl kMatrixSolveLs{
    .name = "MatrixSolveLs",
    .doc =
        "X that minimises |matrix X - rhs|^2 + l2_regularizer |X|^2: by the normal equations, or, "
        "when not fast, without regularizer by orthogonal transformations.",
    .inputs = {"matrix: T", "rhs: T", "l2_regularizer: double"},
    .outputs = {"output: T"},
    .attrs = {"T: {double, float, half, complex64, complex128}", "fast: bool = true"},
    .traits = kPure,
    .shape = least_squares_shape,
    .grad = least_squares_grad,
};
static_assert(well_formed(kMatrixSolveLs));

extern constexpr OpDecl kBatchMatrixSolveLs{
    .name = "BatchMatrixSolveLs",
    .doc = "MatrixSolveLs under its first name.",
    .inputs = {"matrix: T", "rhs: T", "l2_regularizer: double"},
    .outputs = {"output: T"},
    .attrs = {"T: {double, float}", "fast: bool = true"},
    .traits = kPure,
    .shape = least_squares_shape,
    .grad = no_gradient,
    .deprecated = 13,
    .deprecated_why = "Use MatrixSolveLs instead.",
};
static_assert(well_formed(kBatchMatrixSolveLs));

}  // namespace rill
