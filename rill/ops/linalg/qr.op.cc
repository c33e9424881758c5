#include "rill/graph/op_decl.h"
#include "rill/ops/linalg/matrix_columns.h"
#include "rill/ops/linalg/matrix_gradients.h"
#include "rill/ops/linalg/matrix_shapes.h"

namespace rill {
namespace {

Shapes qr_shape(const ShapeCtx& c) {
  const MatrixShape x = matrix_input(c, 0);
  const std::int64_t least =
      x.rows < 0 || x.columns < 0 ? kUnknownDim : std::min(x.rows, x.columns);
  const std::int64_t k = c.flag("full_matrices") ? x.rows : least;
  return {batch_with(x.batch, {x.rows, k}), batch_with(x.batch, {k, x.columns})};
}

// x r^-* for an upper triangular r.
Output over_adjoint(GradCtx& g, Output x, Output r) {
  return adjoint(g, solve_triangular(g, r, adjoint(g, x), false, false));
}

// For a square r.
Output tall_qr_grad(GradCtx& g, Output q, Output r, Output dq, Output dr) {
  const Output qdq = matmul(g, q, dq, Turn::kAdjoint);
  const Output rdr = matmul(g, r, dr, Turn::kNone, Turn::kAdjoint);
  const Output skew = add(g, sub(g, qdq, adjoint(g, qdq)), sub(g, rdr, adjoint(g, rdr)));
  const Output inside = matmul(g, q, add(g, dr, over_adjoint(g, lower_part(g, skew), r)));
  const Output outside = over_adjoint(g, sub(g, dq, matmul(g, q, qdq)), r);
  Output da = add(g, inside, outside);
  if (!kComplexTypes.contains(base_type(q.dtype()))) return da;
  // The diagonal of r is real, which a complex gradient has to keep.
  const Output phases = diag(g, diag_part(g, sub(g, rdr, adjoint(g, qdq))));
  const Output correction = sub(g, phases, adjoint(g, phases));
  return add(g, da, matmul(g, q, over_adjoint(g, scaled(g, correction, -0.5), r)));
}

// With more columns than rows, [X Y] = Q [U V]: X is square, and V = Q* Y.
Output wide_qr_grad(GradCtx& g, std::int64_t rows, std::int64_t all) {
  const Output q = g.output(0), r = g.output(1);
  const Output u = matrix_columns(g, r, 0, rows), du = matrix_columns(g, g.dy(1), 0, rows);
  const Output dv = matrix_columns(g, g.dy(1), rows, all),
               y = matrix_columns(g, g.input(0), rows, all);
  const Output dq = add(g, g.dy(0), matmul(g, y, dv, Turn::kNone, Turn::kAdjoint));
  return concat(g, {tall_qr_grad(g, q, u, dq, du), matmul(g, q, dv)}, -1);
}

void qr_grad(GradCtx& g) {
  const PartialShape& shape = g.input(0).shape();
  const std::int64_t rows = shape.has_rank() ? shape.dim(shape.rank() - 2) : kUnknownDim;
  const std::int64_t all = shape.has_rank() ? shape.dim(shape.rank() - 1) : kUnknownDim;
  if (rows < 0 || all < 0)
    raise(Code::kUnimplemented,
          "QrGrad not implemented with dynamic shapes, here the shape of the matrices is ", shape);
  if (g.attr<bool>("full_matrices") && rows > all)
    raise(Code::kUnimplemented, "QrGrad not implemented when nrows > ncols and full_matrices is ",
          "true, here the shape of the matrices is ", shape);
  g.set(0, rows >= all ? tall_qr_grad(g, g.output(0), g.output(1), g.dy(0), g.dy(1))
                       : wide_qr_grad(g, rows, all));
}

}  // namespace

extern constexpr OpDecl kQr{
    .name = "Qr",
    .doc =
        "Matrices as products of a q with orthonormal columns and an upper triangular r; "
        "full_matrices makes q square.",
    .inputs = {"input: T"},
    .outputs = {"q: T", "r: T"},
    .attrs = {"full_matrices: bool = false", "T: {double, float, half, complex64, complex128}"},
    .traits = kPure,
    .shape = qr_shape,
    .grad = qr_grad,
};
static_assert(well_formed(kQr));

}  // namespace rill
