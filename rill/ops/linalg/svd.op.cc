#include "rill/graph/op_decl.h"
#include "rill/ops/linalg/matrix_shapes.h"
#include "rill/ops/linalg/svd_gradient.h"

namespace rill {
namespace {

Shapes svd_shape(const ShapeCtx& c) {
  const MatrixShape x = matrix_input(c, 0);
  const std::int64_t least =
      x.rows < 0 || x.columns < 0 ? kUnknownDim : std::min(x.rows, x.columns);
  const PartialShape s = batch_with(x.batch, {least});
  if (!c.flag("compute_uv")) return {s, {0}, {0}};
  const bool full = c.flag("full_matrices");
  return {s, batch_with(x.batch, {x.rows, full ? x.rows : least}),
          batch_with(x.batch, {x.columns, full ? x.columns : least})};
}

}  // namespace

extern constexpr OpDecl kSvd{
    .name = "Svd",
    .doc =
        "Descending singular values of matrices and, with compute_uv, their vectors in the columns "
        "of u and v: input = u diag(s) v*. full_matrices makes u and v square.",
    .inputs = {"input: T"},
    .outputs = {"s: T", "u: T", "v: T"},
    .attrs = {"compute_uv: bool = true", "full_matrices: bool = false",
              "T: {double, float, half, complex64, complex128}"},
    .traits = kPure,
    .shape = svd_shape,
    .grad = svd_grad,
};
static_assert(well_formed(kSvd));

extern constexpr OpDecl kBatchSvd{
    .name = "BatchSvd",
    .doc = "Svd under its first name.",
    .inputs = {"input: T"},
    .outputs = {"s: T", "u: T", "v: T"},
    .attrs = {"compute_uv: bool = true", "full_matrices: bool = false",
              "T: {double, float, complex64, complex128}"},
    .traits = kPure,
    .shape = svd_shape,
    .grad = no_gradient,
    .deprecated = 13,
    .deprecated_why = "Use Svd instead.",
};
static_assert(well_formed(kBatchSvd));

}  // namespace rill
