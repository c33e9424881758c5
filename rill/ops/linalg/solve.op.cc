#include "rill/graph/op_decl.h"
#include "rill/ops/linalg/matrix_gradients.h"
#include "rill/ops/linalg/matrix_shapes.h"

namespace rill {
namespace {

Shapes solve_shape(const ShapeCtx& c) {
  const MatrixShape a = square_input(c, 0), b = matrix_input(c, 1);
  if (a.batch.has_rank() && b.batch.has_rank())
    require(a.batch.rank() == b.batch.rank(), "All input tensors must have the same rank, not ",
            c.input(0), " and ", c.input(1));
  require(a.batch.is_compatible(b.batch), "All input tensors must have the same outer dimensions: ",
          "Dimensions must be equal, but are in ", c.input(0), " and ", c.input(1));
  require_same_rows(a.rows, b.rows);
  return {batch_with(a.batch.merged(b.batch), {merge_dim(a.rows, b.rows), b.columns})};
}

// Here the leading dimensions may be broadcast.
Shapes triangular_solve_shape(const ShapeCtx& c) {
  const MatrixShape a = square_input(c, 0), b = matrix_input(c, 1);
  require_same_rows(a.rows, b.rows);
  if (!a.batch.has_rank() || !b.batch.has_rank()) return {PartialShape()};
  for (int i = 1; i <= std::min(a.batch.rank(), b.batch.rank()); ++i) {
    const std::int64_t x = a.batch.dim(a.batch.rank() - i), y = b.batch.dim(b.batch.rank() - i);
    require(x == 1 || y == 1 || compatible(x, y),
            "In[0] and In[1] must have compatible batch dimensions: ", c.input(0), " vs. ",
            c.input(1), ". Dimensions must be equal, but are ", x, " and ", y);
  }
  return {batch_with(broadcast(a.batch, b.batch), {merge_dim(a.rows, b.rows), b.columns})};
}

// What the matrix gets when A X = B, or A* X = B, and `db` goes to B.
Output matrix_grad(GradCtx& g, Output db) {
  const Output x = g.output();
  return neg(g, g.attr<bool>("adjoint") ? matmul(g, x, db, Turn::kNone, Turn::kAdjoint)
                                        : matmul(g, db, x, Turn::kNone, Turn::kAdjoint));
}

void solve_grad(GradCtx& g) {
  const Output db =
      g.add("MatrixSolve", {g.input(0), g.dy()}, {{"adjoint", !g.attr<bool>("adjoint")}});
  g.set(0, matrix_grad(g, db));
  g.set(1, db);
}

bool is_same_batch(Output a, Output b) {
  const PartialShape &x = a.shape(), &y = b.shape();
  if (!x.has_rank() || x.rank() != y.rank()) return false;
  for (int i = 0; i + 2 < x.rank(); ++i)
    if (x.dim(i) < 0 || x.dim(i) != y.dim(i)) return false;
  return true;
}

void triangular_solve_grad(GradCtx& g) {
  const bool lower = g.attr<bool>("lower"), is_adjoint = g.attr<bool>("adjoint");
  const Output db = solve_triangular(g, g.input(0), g.dy(), lower, !is_adjoint);
  const Output full = matrix_grad(g, db);
  const Output da = lower ? lower_part(g, full) : upper_part(g, full);
  g.set(0, da);
  g.set(1, db);
  if (is_same_batch(g.input(0), g.input(1))) return;
  // The leading dimensions may have been broadcast.
  const Output shape_a = shape_of(g, g.input(0)), shape_b = shape_of(g, g.input(1));
  Node& axes = g.scope().add("BroadcastGradientArgs",
                             {slice_vector(g, shape_a, {}, -2), slice_vector(g, shape_b, {}, -2)});
  g.set(0, reshape(g, g.add("Sum", {da, axes.output(0)}), shape_a));
  g.set(1, reshape(g, g.add("Sum", {db, axes.output(1)}), shape_b));
}

void inverse_grad(GradCtx& g) {
  const Output inverse = g.output();
  const bool is_adjoint = g.attr<bool>("adjoint");
  const Turn same = is_adjoint ? Turn::kAdjoint : Turn::kNone;
  const Turn other = is_adjoint ? Turn::kNone : Turn::kAdjoint;
  g.set(0, neg(g, matmul(g, inverse, matmul(g, g.dy(), inverse, same, other), other)));
}

}  // namespace

extern constexpr OpDecl kMatrixSolve{
    .name = "MatrixSolve",
    .doc = "X with matrix X = rhs, or with the adjoint of matrix.",
    .inputs = {"matrix: T", "rhs: T"},
    .outputs = {"output: T"},
    .attrs = {"adjoint: bool = false", "T: {double, float, half, complex64, complex128}"},
    .traits = kPure,
    .shape = solve_shape,
    .grad = solve_grad,
};
static_assert(well_formed(kMatrixSolve));

extern constexpr OpDecl kMatrixTriangularSolve{
    .name = "MatrixTriangularSolve",
    .doc = "X with matrix X = rhs, or its adjoint; only one triangle of matrix is read.",
    .inputs = {"matrix: T", "rhs: T"},
    .outputs = {"output: T"},
    .attrs = {"lower: bool = true", "adjoint: bool = false",
              "T: {double, float, half, complex64, complex128}"},
    .traits = kPure,
    .shape = triangular_solve_shape,
    .grad = triangular_solve_grad,
};
static_assert(well_formed(kMatrixTriangularSolve));

extern constexpr OpDecl kMatrixInverse{
    .name = "MatrixInverse",
    .doc = "The inverses of matrices, or of their adjoints.",
    .inputs = {"input: T"},
    .outputs = {"output: T"},
    .attrs = {"adjoint: bool = false", "T: {double, float, half, complex64, complex128}"},
    .traits = kPure,
    .shape = square_shape,
    .grad = inverse_grad,
};
static_assert(well_formed(kMatrixInverse));

extern constexpr OpDecl kBatchMatrixSolve{
    .name = "BatchMatrixSolve",
    .doc = "MatrixSolve under its first name.",
    .inputs = {"matrix: T", "rhs: T"},
    .outputs = {"output: T"},
    .attrs = {"adjoint: bool = false", "T: {double, float}"},
    .traits = kPure,
    .shape = solve_shape,
    .grad = no_gradient,
    .deprecated = 13,
    .deprecated_why = "Use MatrixSolve instead.",
};
static_assert(well_formed(kBatchMatrixSolve));

extern constexpr OpDecl kBatchMatrixTriangularSolve{
    .name = "BatchMatrixTriangularSolve",
    .doc = "MatrixTriangularSolve under its first name.",
    .inputs = {"matrix: T", "rhs: T"},
    .outputs = {"output: T"},
    .attrs = {"lower: bool = true", "adjoint: bool = false", "T: {double, float}"},
    .traits = kPure,
    .shape = triangular_solve_shape,
    .grad = no_gradient,
    .deprecated = 13,
    .deprecated_why = "Use MatrixTriangularSolve instead.",
};
static_assert(well_formed(kBatchMatrixTriangularSolve));

extern constexpr OpDecl kBatchMatrixInverse{
    .name = "BatchMatrixInverse",
    .doc = "MatrixInverse under its first name.",
    .inputs = {"input: T"},
    .outputs = {"output: T"},
    .attrs = {"adjoint: bool = false", "T: {double, float}"},
    .traits = kPure,
    .shape = square_shape,
    .grad = no_gradient,
    .deprecated = 13,
    .deprecated_why = "Use MatrixInverse instead.",
};
static_assert(well_formed(kBatchMatrixInverse));

}  // namespace rill
