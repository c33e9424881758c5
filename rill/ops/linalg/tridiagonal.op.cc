#include "rill/graph/op_decl.h"
#include "rill/ops/linalg/matrix_gradients.h"
#include "rill/ops/linalg/matrix_shapes.h"

namespace rill {
namespace {

Shapes tridiagonal_solve_shape(const ShapeCtx& c) {
  const MatrixShape diagonals = matrix_input(c, 0), rhs = matrix_input(c, 1);
  require(compatible(diagonals.rows, 3),
          "Expected diagonals to be provided as a matrix with 3 rows, got ", diagonals.rows,
          " rows. Dimension must be 3 but is ", diagonals.rows);
  require(compatible(diagonals.columns, rhs.rows),
          "Expected the same number of left-hand sides and right-hand sides, got ",
          diagonals.columns, " and ", rhs.rows, ". Dimensions must be equal, but are ",
          diagonals.columns, " and ", rhs.rows);
  require(diagonals.batch.is_compatible(rhs.batch),
          "All input tensors must have the same outer dimensions: Dimensions must be equal, but "
          "are in ",
          c.input(0), " and ", c.input(1));
  return {batch_with(diagonals.batch.merged(rhs.batch),
                     {merge_dim(diagonals.columns, rhs.rows), rhs.columns})};
}

// Three diagonals as rows of length n, and n rows to multiply.
Shapes tridiagonal_matmul_shape(const ShapeCtx& c) {
  const MatrixShape rhs = matrix_input(c, 3);
  constexpr const char* kNames[] = {"superdiagonal", "maindiagonal", "subdiagonal"};
  PartialShape batch = rhs.batch;
  std::int64_t n = rhs.rows;
  for (int i = 0; i < 3; ++i) {
    const MatrixShape x = matrix_input(c, i);
    require(compatible(x.rows, 1) && compatible(x.columns, n) && batch.is_compatible(x.batch),
            "Invalid ", kNames[i], " shape: ", c.input(i),
            ". Dimensions must be equal to those of ", c.input(3));
    batch = batch.merged(x.batch);
    n = merge_dim(n, x.columns);
  }
  return {batch_with(batch, {n, rhs.columns})};
}

// x[..., begin:end, :] or, along the last axis, x[..., begin:end]; an end of 0 is no end.
Output part_of(GradCtx& g, Output x, int axis, int begin, int end) {
  const int rank = -axis + 1;  // with the ellipsis
  Tensor first = Tensor::zeros(DType::i32, {rank}), last = Tensor::zeros(DType::i32, {rank});
  Tensor steps(DType::i32, {rank});
  std::fill_n(steps.data<std::int32_t>(), rank, 1);
  first.data<std::int32_t>()[1] = begin;
  last.data<std::int32_t>()[1] = end;
  const std::int64_t whole = axis == -2 ? 4 : 0, open = end == 0 ? 2 : 0;
  return g.add(
      "StridedSlice", {x, first, last, steps},
      {{"ellipsis_mask", std::int64_t{1}}, {"begin_mask", whole}, {"end_mask", whole | open}},
      "strided_slice");
}

// x moved by one place along the axis, to higher numbers or to lower ones; zeros come in.
Output moved(GradCtx& g, Output x, int axis, bool up) {
  const Output zero = zeros_like(g, part_of(g, x, axis, 0, 1));
  if (up) return concat(g, {zero, part_of(g, x, axis, 0, -1)}, axis);
  return concat(g, {part_of(g, x, axis, 1, 0), zero}, axis);
}

// For each row, x times y summed over the columns: [..., 1, n] of [..., n, k].
Output row_products(GradCtx& g, Output x, Output y) {
  return as_row(g, g.add("Sum", {mul(g, x, y), Tensor::vector<std::int32_t>({-1})}));
}

void tridiagonal_matmul_grad(GradCtx& g) {
  const Output dy = g.dy(), x = conj(g, g.input(3));
  g.set(0, row_products(g, moved(g, x, -2, false), dy));
  g.set(1, row_products(g, x, dy));
  g.set(2, row_products(g, moved(g, x, -2, true), dy));
  const Output above = mul(g, adjoint(g, g.input(0)), dy);
  const Output on = mul(g, adjoint(g, g.input(1)), dy);
  const Output below = mul(g, adjoint(g, g.input(2)), dy);
  g.set(3, add(g, add(g, moved(g, above, -2, true), on), moved(g, below, -2, false)));
}

// The adjoint has the diagonals in the other order, each moved to where it now belongs.
Output adjoint_diagonals(GradCtx& g, Output diagonals) {
  const Output all = conj(g, diagonals);
  const Output above = moved(g, part_of(g, all, -2, 2, 3), -1, false);
  const Output below = moved(g, part_of(g, all, -2, 0, 1), -1, true);
  return concat(g, {above, part_of(g, all, -2, 1, 2), below}, -2);
}

void tridiagonal_solve_grad(GradCtx& g) {
  const Output x = conj(g, g.output());
  const Output db = g.add("TridiagonalSolve", {adjoint_diagonals(g, g.input(0)), g.dy()},
                          {{"partial_pivoting", g.attr<bool>("partial_pivoting")}});
  const Output above = row_products(g, moved(g, x, -2, false), db);
  const Output below = row_products(g, moved(g, x, -2, true), db);
  g.set(0, neg(g, concat(g, {above, row_products(g, x, db), below}, -2)));
  g.set(1, db);
}

}  // namespace

extern constexpr OpDecl kTridiagonalMatMul{
    .name = "TridiagonalMatMul",
    .doc =
        "Products of tridiagonal matrices, given by their diagonals, and rhs. The last element of "
        "superdiag and the first of subdiag are not used.",
    .inputs = {"superdiag: T", "maindiag: T", "subdiag: T", "rhs: T"},
    .outputs = {"output: T"},
    .attrs = {"T: {double, float, complex64, complex128}"},
    .traits = kPure,
    .shape = tridiagonal_matmul_shape,
    .grad = tridiagonal_matmul_grad,
};
static_assert(well_formed(kTridiagonalMatMul));

extern constexpr OpDecl kTridiagonalSolve{
    .name = "TridiagonalSolve",
    .doc =
        "Solutions of tridiagonal systems, whose diagonals are three rows: the upper one, whose "
        "last element is not used, the main one, and the lower one, whose first is not.",
    .inputs = {"diagonals: T", "rhs: T"},
    .outputs = {"output: T"},
    .attrs = {"partial_pivoting: bool = true", "T: {double, float, complex64, complex128}"},
    .traits = kPure,
    .shape = tridiagonal_solve_shape,
    .grad = tridiagonal_solve_grad,
};
static_assert(well_formed(kTridiagonalSolve));

}  // namespace rill
