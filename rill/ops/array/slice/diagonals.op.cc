#include "rill/ops/array/slice/diagonals_shape.h"

#include "rill/graph/gradient_parts.h"
#include "rill/graph/op_decl.h"

namespace rill {
namespace {

Shapes diag_shape(const ShapeCtx& c) {
  const PartialShape input = c.with_rank_at_least(0, 1);
  if (!input.has_rank()) return {PartialShape()};
  PartialShape out = input;
  for (const std::int64_t dim : input.dims()) out.add_dim(dim);
  return {out};
}

Shapes diag_part_shape(const ShapeCtx& c) {
  const PartialShape& input = c.input(0);
  if (!input.has_rank()) return {PartialShape()};
  require(input.rank() % 2 == 0 && input.rank() > 0,
          "Input must have even and non-zero rank, input rank is ", input.rank());
  PartialShape out = PartialShape::scalar();
  for (int d = 0; d < input.rank() / 2; ++d) {
    const std::int64_t a = input.dim(d), b = input.dim(d + input.rank() / 2);
    require(compatible(a, b),
            when_run("Dimensions ", d, " and ", d + input.rank() / 2,
                     " of the input must be the same, not ", a, " and ", b),
            when_built("Dimensions must be equal, but are ", a, " and ", b));
    out.add_dim(merge_dim(a, b));
  }
  return {out};
}

Shapes band_part_shape(const ShapeCtx& c) {
  const PartialShape input = c.with_rank_at_least(0, 2);
  (void)c.scalar(1);
  (void)c.scalar(2);
  return {input};
}

PartialShape without_last(const PartialShape& shape, int count) {
  return PartialShape(shape.dims().first(static_cast<std::size_t>(shape.rank() - count)));
}

Shapes matrix_diag_shape(const ShapeCtx& c) {
  PartialShape out = c.with_rank_at_least(0, 1);
  if (!out.has_rank()) return {PartialShape()};
  out.add_dim(out.dim(out.rank() - 1));
  return {out};
}

std::int64_t min_dim(std::int64_t a, std::int64_t b) {
  return a < 0 || b < 0 ? kUnknownDim : std::min(a, b);
}

Shapes matrix_diag_part_shape(const ShapeCtx& c) {
  const PartialShape input = c.with_rank_at_least(0, 2);
  if (!input.has_rank()) return {PartialShape()};
  PartialShape out = without_last(input, 2);
  out.add_dim(min_dim(input.dim(input.rank() - 2), input.dim(input.rank() - 1)));
  return {out};
}

Shapes matrix_set_diag_shape(const ShapeCtx& c) {
  const PartialShape input = c.with_rank_at_least(0, 2);
  const PartialShape diagonal = c.with_rank_at_least(1, 1);
  if (!input.has_rank()) return {input};
  PartialShape expected = without_last(input, 2);
  expected.add_dim(min_dim(input.dim(input.rank() - 2), input.dim(input.rank() - 1)));
  (void)merge_shapes(expected, diagonal);
  return {input};
}

Shapes matrix_diag_v2_shape(const ShapeCtx& c) {
  const PartialShape diagonal = c.with_rank_at_least(0, 1);
  for (const int i : {2, 3, 4})
    require(!c.input(i).has_rank() || c.input(i).rank() == 0,
            c.op().inputs[static_cast<std::size_t>(i)].name, " must be a scalar");
  const Tensor* k = c.value(1);
  std::int64_t rows = 0, columns = 0;
  if (!diagonal.has_rank() || k == nullptr) return {PartialShape()};
  const Diagonals band = read_diagonals(*k);
  const bool one = band.count() == 1;
  require(diagonal.rank() >= (one ? 1 : 2),
          "diagonal must be at least 2-dim, received shape: ", diagonal);
  if (!one)
    require(compatible(diagonal.dim(diagonal.rank() - 2), band.count()),
            "The number of diagonals provided in the input does not match the lower_diag_index and "
            "upper_diag_index range.");
  PartialShape out = without_last(diagonal, one ? 1 : 2);
  const std::int64_t longest = diagonal.dim(diagonal.rank() - 1);
  if (longest < 0 || !c.int_value(2, &rows) || !c.int_value(3, &columns)) {
    out.add_dim(kUnknownDim);
    out.add_dim(kUnknownDim);
    return {out};
  }
  const MatrixSize size = matrix_of(band, longest, rows, columns);
  out.add_dim(size.rows);
  out.add_dim(size.columns);
  return {out};
}

// The diagonals of a band of the matrices in `matrix`.
PartialShape band_shape(const PartialShape& matrix, const Diagonals& band) {
  const std::int64_t rows = matrix.dim(matrix.rank() - 2), columns = matrix.dim(matrix.rank() - 1);
  check_diagonals(band, rows, columns);
  PartialShape out = without_last(matrix, 2);
  if (band.count() > 1) out.add_dim(band.count());
  out.add_dim(rows < 0 || columns < 0 ? kUnknownDim : band.max_length(rows, columns));
  return out;
}

Shapes matrix_diag_part_v2_shape(const ShapeCtx& c) {
  const PartialShape input = c.with_rank_at_least(0, 2);
  (void)c.scalar(2);
  const Tensor* k = c.value(1);
  if (!input.has_rank() || k == nullptr) return {PartialShape()};
  return {band_shape(input, read_diagonals(*k))};
}

Shapes matrix_set_diag_v2_shape(const ShapeCtx& c) {
  const PartialShape input = c.with_rank_at_least(0, 2), diagonal = c.with_rank_at_least(1, 1);
  const Tensor* k = c.value(2);
  if (!input.has_rank() || k == nullptr) return {input};
  (void)merge_shapes(band_shape(input, read_diagonals(*k)), diagonal);
  return {input};
}

void diag_grad(GradCtx& g) { g.set(0, g.add("DiagPart", {g.dy()})); }
void diag_part_grad(GradCtx& g) { g.set(0, g.add("Diag", {g.dy()})); }
void band_part_grad(GradCtx& g) {
  g.set(0, g.add("MatrixBandPart", {g.dy(), g.input(1), g.input(2)}));
}

Output part(GradCtx& g, Output x, Input k) {
  return g.add("MatrixDiagPartV2", {x, std::move(k), 0}, {}, "diag_part");
}
Output set_diag(GradCtx& g, Output x, Output diagonal, Input k) {
  return g.add("MatrixSetDiagV2", {x, diagonal, std::move(k)}, {}, "set_diag");
}
Output diag(GradCtx& g, Output x, Input k, int rows, int columns) {
  return g.add("MatrixDiagV2", {x, std::move(k), rows, columns, 0}, {}, "diag");
}

void matrix_diag_grad(GradCtx& g) { g.set(0, part(g, g.dy(), 0)); }
void matrix_diag_v2_grad(GradCtx& g) { g.set(0, part(g, g.dy(), g.input(1))); }

void matrix_diag_part_grad(GradCtx& g) {
  const PartialShape& shape = g.input(0).shape();
  const bool square = shape.has_rank() && shape.dim(shape.rank() - 1) >= 0 &&
                      shape.dim(shape.rank() - 1) == shape.dim(shape.rank() - 2);
  g.set(0, square ? diag(g, g.dy(), 0, -1, -1) : set_diag(g, zeros_like(g, g.input(0)), g.dy(), 0));
}
void matrix_diag_part_v2_grad(GradCtx& g) {
  const PartialShape& shape = g.input(0).shape();
  const bool known =
      shape.has_rank() && shape.dim(shape.rank() - 1) >= 0 && shape.dim(shape.rank() - 2) >= 0;
  if (known) {
    g.set(0, diag(g, g.dy(), g.input(1), static_cast<int>(shape.dim(shape.rank() - 2)),
                  static_cast<int>(shape.dim(shape.rank() - 1))));
  } else {
    g.set(0, set_diag(g, zeros_like(g, g.input(0)), g.dy(), g.input(1)));
  }
}

void matrix_set_diag_grad(GradCtx& g) {
  const bool has_k = g.input_count() == 3;
  const Input k = has_k ? Input(g.input(2)) : Input(0);
  const Output zeros = zeros_like(g.scope(), g.input(1), "zeros");
  g.set(0, set_diag(g, g.dy(), zeros, k));
  g.set(1, part(g, g.dy(), k));
}

}  // namespace

extern constexpr OpDecl kDiag{
    .name = "Diag",
    .doc = "A tensor of twice the rank that has diagonal on its diagonal and zeros elsewhere.",
    .inputs = {"diagonal: T"},
    .outputs = {"output: T"},
    .attrs = {"T: {bfloat16, half, float, double, int32, int64, complex64, complex128}"},
    .traits = kPure,
    .shape = diag_shape,
    .grad = diag_grad,
};
static_assert(well_formed(kDiag));

extern constexpr OpDecl kDiagPart{
    .name = "DiagPart",
    .doc = "The diagonal of a tensor whose second half of dimensions repeats the first.",
    .inputs = {"input: T"},
    .outputs = {"diagonal: T"},
    .attrs = {"T: {bfloat16, half, float, double, int32, int64, complex64, complex128}"},
    .traits = kPure,
    .shape = diag_part_shape,
    .grad = diag_part_grad,
};
static_assert(well_formed(kDiagPart));

extern constexpr OpDecl kMatrixBandPart{
    .name = "MatrixBandPart",
    .doc =
        "Matrices with zeros outside of a band around the diagonal; a negative number keeps that "
        "side.",
    .inputs = {"input: T", "num_lower: Tindex", "num_upper: Tindex"},
    .outputs = {"band: T"},
    .attrs = {"T: type", "Tindex: {int32, int64} = DT_INT64"},
    .traits = kPure,
    .shape = band_part_shape,
    .grad = band_part_grad,
};
static_assert(well_formed(kMatrixBandPart));

extern constexpr OpDecl kMatrixDiag{
    .name = "MatrixDiag",
    .doc = "Square matrices with the given diagonals.",
    .inputs = {"diagonal: T"},
    .outputs = {"output: T"},
    .attrs = {"T: type"},
    .traits = kPure,
    .shape = matrix_diag_shape,
    .grad = matrix_diag_grad,
};
static_assert(well_formed(kMatrixDiag));

extern constexpr OpDecl kMatrixDiagPart{
    .name = "MatrixDiagPart",
    .doc = "The main diagonals of matrices.",
    .inputs = {"input: T"},
    .outputs = {"diagonal: T"},
    .attrs = {"T: type"},
    .traits = kPure,
    .shape = matrix_diag_part_shape,
    .grad = matrix_diag_part_grad,
};
static_assert(well_formed(kMatrixDiagPart));

extern constexpr OpDecl kMatrixSetDiag{
    .name = "MatrixSetDiag",
    .doc = "Matrices with other main diagonals.",
    .inputs = {"input: T", "diagonal: T"},
    .outputs = {"output: T"},
    .attrs = {"T: type"},
    .traits = kPure,
    .shape = matrix_set_diag_shape,
    .grad = matrix_set_diag_grad,
};
static_assert(well_formed(kMatrixSetDiag));

extern constexpr OpDecl kMatrixDiagV2{
    .name = "MatrixDiagV2",
    .doc =
        "Matrices with the given diagonals, from k[1] down to k[0], and padding_value elsewhere.",
    .inputs = {"diagonal: T", "k: int32", "num_rows: int32", "num_cols: int32", "padding_value: T"},
    .outputs = {"output: T"},
    .attrs = {"T: type"},
    .traits = kPure,
    .shape = matrix_diag_v2_shape,
    .grad = matrix_diag_v2_grad,
};
static_assert(well_formed(kMatrixDiagV2));

extern constexpr OpDecl kMatrixDiagPartV2{
    .name = "MatrixDiagPartV2",
    .doc =
        "The diagonals of matrices from k[1] down to k[0], shorter ones filled up with "
        "padding_value.",
    .inputs = {"input: T", "k: int32", "padding_value: T"},
    .outputs = {"diagonal: T"},
    .attrs = {"T: type"},
    .traits = kPure,
    .shape = matrix_diag_part_v2_shape,
    .grad = matrix_diag_part_v2_grad,
};
static_assert(well_formed(kMatrixDiagPartV2));

extern constexpr OpDecl kMatrixSetDiagV2{
    .name = "MatrixSetDiagV2",
    .doc = "Matrices with other diagonals from k[1] down to k[0].",
    .inputs = {"input: T", "diagonal: T", "k: int32"},
    .outputs = {"output: T"},
    .attrs = {"T: type"},
    .traits = kPure,
    .shape = matrix_set_diag_v2_shape,
    .grad = matrix_set_diag_grad,
};
static_assert(well_formed(kMatrixSetDiagV2));

extern constexpr OpDecl kBatchMatrixBandPart{
    .name = "BatchMatrixBandPart",
    .doc = "MatrixBandPart under its first name.",
    .inputs = {"input: T", "num_lower: int64", "num_upper: int64"},
    .outputs = {"band: T"},
    .attrs = {"T: type"},
    .traits = kPure,
    .shape = band_part_shape,
    .grad = no_gradient,
    .deprecated = 14,
    .deprecated_why = "Use MatrixBandPart",
};
static_assert(well_formed(kBatchMatrixBandPart));

extern constexpr OpDecl kBatchMatrixDiag{
    .name = "BatchMatrixDiag",
    .doc = "MatrixDiag under its first name.",
    .inputs = {"diagonal: T"},
    .outputs = {"output: T"},
    .attrs = {"T: type"},
    .traits = kPure,
    .shape = matrix_diag_shape,
    .grad = no_gradient,
    .deprecated = 14,
    .deprecated_why = "Use MatrixDiag",
};
static_assert(well_formed(kBatchMatrixDiag));

extern constexpr OpDecl kBatchMatrixDiagPart{
    .name = "BatchMatrixDiagPart",
    .doc = "MatrixDiagPart under its first name.",
    .inputs = {"input: T"},
    .outputs = {"diagonal: T"},
    .attrs = {"T: type"},
    .traits = kPure,
    .shape = matrix_diag_part_shape,
    .grad = no_gradient,
    .deprecated = 14,
    .deprecated_why = "Use MatrixDiagPart",
};
static_assert(well_formed(kBatchMatrixDiagPart));

extern constexpr OpDecl kBatchMatrixSetDiag{
    .name = "BatchMatrixSetDiag",
    .doc = "MatrixSetDiag under its first name.",
    .inputs = {"input: T", "diagonal: T"},
    .outputs = {"output: T"},
    .attrs = {"T: type"},
    .traits = kPure,
    .shape = matrix_set_diag_shape,
    .grad = no_gradient,
    .deprecated = 14,
    .deprecated_why = "Use MatrixSetDiag",
};
static_assert(well_formed(kBatchMatrixSetDiag));

}  // namespace rill
