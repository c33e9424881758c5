#include "rill/graph/op_decl.h"
#include "rill/ops/linalg/matrix_gradients.h"
#include "rill/ops/linalg/matrix_shapes.h"

namespace rill {
namespace {

Shapes lu_shape(const ShapeCtx& c) {
  const MatrixShape x = square_input(c, 0);
  return {batch_with(x.batch, {x.rows, x.rows}), batch_with(x.batch, {x.rows})};
}

Shapes determinant_shape(const ShapeCtx& c) { return {square_input(c, 0).batch}; }

Shapes log_determinant_shape(const ShapeCtx& c) {
  const PartialShape batch = square_input(c, 0).batch;
  return {batch, batch};
}

// One factor for each matrix, times the adjoint of its inverse.
Output times_adjoint_inverse(GradCtx& g, Output factors) {
  const Output inverse = g.add("MatrixInverse", {g.input(0)}, {{"adjoint", true}});
  const Output ones = g.scope().constant(Tensor::vector<std::int32_t>({1, 1}));
  const Output shape = concat(g, {shape_of(g, g.output(0)), ones});
  return mul(g, reshape(g, factors, shape), inverse);
}

void determinant_grad(GradCtx& g) {
  g.set(0, times_adjoint_inverse(g, mul(g, g.dy(), g.output())));
}
void log_determinant_grad(GradCtx& g) { g.set(0, times_adjoint_inverse(g, g.dy(1))); }

}  // namespace

extern constexpr OpDecl kLu{
    .name = "Lu",
    .doc =
        "Matrices as P^-1 L U: lu holds U and, below its diagonal, L without its ones; row i of L "
        "U "
        "is row p[i] of the matrix.",
    .inputs = {"input: T"},
    .outputs = {"lu: T", "p: output_idx_type"},
    .attrs = {"T: {double, float, half, complex64, complex128}",
              "output_idx_type: {int32, int64} = DT_INT32"},
    .traits = kPure,
    .shape = lu_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kLu));

extern constexpr OpDecl kMatrixDeterminant{
    .name = "MatrixDeterminant",
    .doc = "The determinants of square matrices.",
    .inputs = {"input: T"},
    .outputs = {"output: T"},
    .attrs = {"T: {half, float, double, complex64, complex128}"},
    .traits = kPure,
    .shape = determinant_shape,
    .grad = determinant_grad,
};
static_assert(well_formed(kMatrixDeterminant));

extern constexpr OpDecl kLogMatrixDeterminant{
    .name = "LogMatrixDeterminant",
    .doc = "The signs of determinants and the logarithms of their absolute values.",
    .inputs = {"input: T"},
    .outputs = {"sign: T", "log_abs_determinant: T"},
    .attrs = {"T: {half, float, double, complex64, complex128}"},
    .traits = kPure,
    .shape = log_determinant_shape,
    .grad = log_determinant_grad,
};
static_assert(well_formed(kLogMatrixDeterminant));

extern constexpr OpDecl kBatchMatrixDeterminant{
    .name = "BatchMatrixDeterminant",
    .doc = "MatrixDeterminant under its first name.",
    .inputs = {"input: T"},
    .outputs = {"output: T"},
    .attrs = {"T: {float, double, complex64, complex128}"},
    .traits = kPure,
    .shape = determinant_shape,
    .grad = no_gradient,
    .deprecated = 13,
    .deprecated_why = "Use MatrixDeterminant instead.",
};
static_assert(well_formed(kBatchMatrixDeterminant));

}  // namespace rill
