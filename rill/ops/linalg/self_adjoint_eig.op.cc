#include "rill/graph/op_decl.h"
#include "rill/ops/linalg/matrix_gradients.h"
#include "rill/ops/linalg/matrix_shapes.h"

namespace rill {
namespace {

// Eigenvalues in the first row, eigenvectors in the columns below.
Shapes eig_v1_shape(const ShapeCtx& c) {
  const MatrixShape x = square_input(c, 0);
  return {batch_with(x.batch, {x.rows < 0 ? kUnknownDim : x.rows + 1, x.rows})};
}

Shapes eig_v2_shape(const ShapeCtx& c) {
  const MatrixShape x = square_input(c, 0);
  const PartialShape vectors =
      c.flag("compute_v") ? batch_with(x.batch, {x.rows, x.rows}) : PartialShape{0};
  return {batch_with(x.batch, {x.rows}), vectors};
}

void eig_grad(GradCtx& g) {
  const bool has_vectors = g.attr<bool>("compute_v");
  const Output e = g.output(0);
  Output v = g.output(1), inside = diag(g, g.dy(0));
  if (has_vectors) {
    const Output differences = safe_reciprocal(g, sub(g, as_row(g, e), as_column(g, e)));
    const Output f = set_diag(g, differences, zeros_like(g, e));
    inside = add(g, inside, mul(g, f, matmul(g, v, g.dy(1), Turn::kAdjoint)));
  } else {
    v = g.scope().add("SelfAdjointEigV2", {g.input(0)}).output(1);
  }
  const Output full = matmul(g, v, matmul(g, inside, v, Turn::kNone, Turn::kAdjoint));
  // The forward pass reads only the lower triangle.
  g.set(0, half_diagonal(g, lower_part(g, add(g, full, adjoint(g, full)))));
}

}  // namespace

extern constexpr OpDecl kSelfAdjointEig{
    .name = "SelfAdjointEig",
    .doc = "Eigenvalues in the first row and eigenvectors below, of symmetric matrices.",
    .inputs = {"input: T"},
    .outputs = {"output: T"},
    .attrs = {"T: {double, float, half}"},
    .traits = kPure,
    .shape = eig_v1_shape,
    .grad = no_gradient,
    .deprecated = 11,
    .deprecated_why = "Use SelfAdjointEigV2 instead.",
};
static_assert(well_formed(kSelfAdjointEig));

extern constexpr OpDecl kSelfAdjointEigV2{
    .name = "SelfAdjointEigV2",
    .doc =
        "Ascending eigenvalues of Hermitian matrices, of which the lower triangle is read, and "
        "with "
        "compute_v their eigenvectors.",
    .inputs = {"input: T"},
    .outputs = {"e: T", "v: T"},
    .attrs = {"compute_v: bool = true", "T: {double, float, half, complex64, complex128}"},
    .traits = kPure,
    .shape = eig_v2_shape,
    .grad = eig_grad,
};
static_assert(well_formed(kSelfAdjointEigV2));

extern constexpr OpDecl kBatchSelfAdjointEig{
    .name = "BatchSelfAdjointEig",
    .doc = "SelfAdjointEig under its first name.",
    .inputs = {"input: T"},
    .outputs = {"output: T"},
    .attrs = {"T: {double, float}"},
    .traits = kPure,
    .shape = eig_v1_shape,
    .grad = no_gradient,
    .deprecated = 11,
    .deprecated_why = "Use SelfAdjointEigV2 instead.",
};
static_assert(well_formed(kBatchSelfAdjointEig));

extern constexpr OpDecl kBatchSelfAdjointEigV2{
    .name = "BatchSelfAdjointEigV2",
    .doc = "SelfAdjointEigV2 under its first name.",
    .inputs = {"input: T"},
    .outputs = {"e: T", "v: T"},
    .attrs = {"compute_v: bool = true", "T: {double, float}"},
    .traits = kPure,
    .shape = eig_v2_shape,
    .grad = no_gradient,
    .deprecated = 13,
    .deprecated_why = "Use SelfAdjointEigV2 instead.",
};
static_assert(well_formed(kBatchSelfAdjointEigV2));

}  // namespace rill
