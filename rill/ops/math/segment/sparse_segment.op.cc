#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"
#include "rill/ops/math/segment/segment_grad.h"

namespace rill {
namespace {

PartialShape rows_shape(const ShapeCtx& c, std::int64_t rows) {
  const PartialShape data = c.with_rank_at_least(0, 1);
  (void)merge_shapes(c.vector(1), c.vector(2));
  return data.has_rank() ? data.with_dim(0, rows) : PartialShape();
}

Shapes sparse_segment_shape(const ShapeCtx& c) { return {rows_shape(c, kUnknownDim)}; }

// The number of rows is input 3.
Shapes counted_shape(const ShapeCtx& c) {
  c.scalar(3);
  std::int64_t rows = kUnknownDim;
  if (c.int_value(3, &rows)) require(rows >= 0, "Cannot specify a negative value for num_segments");
  return {rows_shape(c, rows)};
}

Output row_count(GradCtx& g) { return slice_vector(g, shape_of(g, g.input(0)), 0, 1, true); }

void sparse_segment_sum_grad(GradCtx& g) {
  const Output rows = row_count(g);
  g.set(0, g.add("UnsortedSegmentSum", {gather(g, g.dy(), g.input(2)), g.input(1), rows}));
}
void sparse_segment_mean_grad(GradCtx& g) {
  g.set(0, g.add("SparseSegmentMeanGrad", {g.dy(), g.input(1), g.input(2), row_count(g)}));
}
void sparse_segment_sqrt_n_grad(GradCtx& g) {
  g.set(0, g.add("SparseSegmentSqrtNGrad", {g.dy(), g.input(1), g.input(2), row_count(g)}));
}

}  // namespace

extern constexpr OpDecl kSparseSegmentSum{
    .name = "SparseSegmentSum",
    .doc = "Row i is the sum of the rows of data that indices name with the id i; ids ascend.",
    .inputs = {"data: T", "indices: Tidx", "segment_ids: int32"},
    .outputs = {"output: T"},
    .attrs = {"T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, "
              "uint32, uint64}",
              "Tidx: {int32, int64} = DT_INT32"},
    .traits = kPure | kDataDependentShape,
    .shape = sparse_segment_shape,
    .grad = sparse_segment_sum_grad,
};
static_assert(well_formed(kSparseSegmentSum));

extern constexpr OpDecl kSparseSegmentSumWithNumSegments{
    .name = "SparseSegmentSumWithNumSegments",
    .doc =
        "Row i is the sum of the rows of data that indices name with the id i; ids ascend and "
        "there are num_segments rows.",
    .inputs = {"data: T", "indices: Tidx", "segment_ids: int32", "num_segments: Tnumsegments"},
    .outputs = {"output: T"},
    .attrs = {"T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, "
              "uint32, uint64}",
              "Tidx: {int32, int64} = DT_INT32", "Tnumsegments: {int32, int64} = DT_INT32"},
    .traits = kPure,
    .shape = counted_shape,
    .grad = sparse_segment_sum_grad,
};
static_assert(well_formed(kSparseSegmentSumWithNumSegments));

extern constexpr OpDecl kSparseSegmentMean{
    .name = "SparseSegmentMean",
    .doc = "Row i is the mean of the rows of data that indices name with the id i; ids ascend.",
    .inputs = {"data: T", "indices: Tidx", "segment_ids: int32"},
    .outputs = {"output: T"},
    .attrs = {"T: {float, double}", "Tidx: {int32, int64} = DT_INT32"},
    .traits = kPure | kDataDependentShape,
    .shape = sparse_segment_shape,
    .grad = sparse_segment_mean_grad,
};
static_assert(well_formed(kSparseSegmentMean));

extern constexpr OpDecl kSparseSegmentMeanWithNumSegments{
    .name = "SparseSegmentMeanWithNumSegments",
    .doc =
        "Row i is the mean of the rows of data that indices name with the id i; ids ascend and "
        "there are num_segments rows.",
    .inputs = {"data: T", "indices: Tidx", "segment_ids: int32", "num_segments: Tnumsegments"},
    .outputs = {"output: T"},
    .attrs = {"T: {float, double}", "Tidx: {int32, int64} = DT_INT32",
              "Tnumsegments: {int32, int64} = DT_INT32"},
    .traits = kPure,
    .shape = counted_shape,
    .grad = sparse_segment_mean_grad,
};
static_assert(well_formed(kSparseSegmentMeanWithNumSegments));

extern constexpr OpDecl kSparseSegmentSqrtN{
    .name = "SparseSegmentSqrtN",
    .doc =
        "Row i is the sum of the rows of data that indices name with the id i, over the square "
        "root of how many these are; ids ascend.",
    .inputs = {"data: T", "indices: Tidx", "segment_ids: int32"},
    .outputs = {"output: T"},
    .attrs = {"T: {float, double}", "Tidx: {int32, int64} = DT_INT32"},
    .traits = kPure | kDataDependentShape,
    .shape = sparse_segment_shape,
    .grad = sparse_segment_sqrt_n_grad,
};
static_assert(well_formed(kSparseSegmentSqrtN));

extern constexpr OpDecl kSparseSegmentSqrtNWithNumSegments{
    .name = "SparseSegmentSqrtNWithNumSegments",
    .doc =
        "Row i is the sum of the rows of data that indices name with the id i, over the square "
        "root of how many these are; ids ascend and there are num_segments rows.",
    .inputs = {"data: T", "indices: Tidx", "segment_ids: int32", "num_segments: Tnumsegments"},
    .outputs = {"output: T"},
    .attrs = {"T: {float, double}", "Tidx: {int32, int64} = DT_INT32",
              "Tnumsegments: {int32, int64} = DT_INT32"},
    .traits = kPure,
    .shape = counted_shape,
    .grad = sparse_segment_sqrt_n_grad,
};
static_assert(well_formed(kSparseSegmentSqrtNWithNumSegments));

extern constexpr OpDecl kSparseSegmentMeanGrad{
    .name = "SparseSegmentMeanGrad",
    .doc = "The gradient of SparseSegmentMean with respect to its data, of output_dim0 rows.",
    .inputs = {"grad: T", "indices: Tidx", "segment_ids: int32", "output_dim0: int32"},
    .outputs = {"output: T"},
    .attrs = {"T: {float, double}", "Tidx: {int32, int64} = DT_INT32"},
    .traits = kPure,
    .shape = counted_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kSparseSegmentMeanGrad));

extern constexpr OpDecl kSparseSegmentSqrtNGrad{
    .name = "SparseSegmentSqrtNGrad",
    .doc = "The gradient of SparseSegmentSqrtN with respect to its data, of output_dim0 rows.",
    .inputs = {"grad: T", "indices: Tidx", "segment_ids: int32", "output_dim0: int32"},
    .outputs = {"output: T"},
    .attrs = {"T: {float, double}", "Tidx: {int32, int64} = DT_INT32"},
    .traits = kPure,
    .shape = counted_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kSparseSegmentSqrtNGrad));

}  // namespace rill
