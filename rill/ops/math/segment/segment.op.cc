#include "rill/graph/op_decl.h"
#include "rill/graph/run_time_error.h"
#include "rill/graph/shape_ctx.h"
#include "rill/ops/math/segment/segment_grad.h"

namespace rill {
namespace {

// One row for each id; how many is known only when the op runs.
Shapes segment_shape(const ShapeCtx& c) {
  const PartialShape data = c.with_rank_at_least(0, 1), ids = c.vector(1);
  if (!data.has_rank()) return {PartialShape()};
  const PartialShape out = data.with_dim(0, kUnknownDim);
  require_when_run(compatible(ids.dim(0), data.dim(0)), {out},
                   "segment_ids should be the same size as dimension 0 of input.");
  return {out};
}

void segment_sum_grad(GradCtx& g) { g.set(0, gather(g, g.dy(), g.input(1))); }

void segment_mean_grad(GradCtx& g) {
  const Output ids = g.input(1), rank = rank_of(g, g.input(0));
  const Output id_shape = shape_of(g, ids);
  const Output width = ones_of_shape(g, expand_dims(g, sub(g, rank, 1), 0), DType::i32);
  const Output ones = ones_of_shape(g, concat(g, {id_shape, width}), g.dy().dtype());
  const Output counts = g.add("SegmentSum", {ones, ids});
  g.set(0, gather(g, truediv(g, g.dy(), counts), ids));
}

// Every element that is the largest (or smallest) of its segment gets an equal share.
void segment_extreme_grad(GradCtx& g) {
  const Output x = g.input(0), ids = g.input(1);
  const Output zeros = zeros_like(g, x);
  const Output chosen = g.add("Equal", {x, gather(g, g.output(), ids)});
  const Output count = g.add("SegmentSum", {cast(g, chosen, base_type(g.dy().dtype())), ids});
  const Output shares = gather(g, truediv(g, g.dy(), count), ids);
  g.set(0, g.add("SelectV2", {chosen, shares, zeros}));
}

}  // namespace

extern constexpr OpDecl kSegmentSum{
    .name = "SegmentSum",
    .doc = "Row i is the sum of the rows of data whose id is i; ids ascend.",
    .inputs = {"data: T", "segment_ids: Tindices"},
    .outputs = {"output: T"},
    .attrs = {"T: numbertype", "Tindices: {int32, int64}"},
    .traits = kPure | kDataDependentShape,
    .shape = segment_shape,
    .grad = segment_sum_grad,
};
static_assert(well_formed(kSegmentSum));

extern constexpr OpDecl kSegmentMean{
    .name = "SegmentMean",
    .doc = "Row i is the mean of the rows of data whose id is i; ids ascend.",
    .inputs = {"data: T", "segment_ids: Tindices"},
    .outputs = {"output: T"},
    .attrs = {"T: numbertype", "Tindices: {int32, int64}"},
    .traits = kPure | kDataDependentShape,
    .shape = segment_shape,
    .grad = segment_mean_grad,
};
static_assert(well_formed(kSegmentMean));

extern constexpr OpDecl kSegmentProd{
    .name = "SegmentProd",
    .doc = "Row i is the product of the rows of data whose id is i; ids ascend.",
    .inputs = {"data: T", "segment_ids: Tindices"},
    .outputs = {"output: T"},
    .attrs = {"T: numbertype", "Tindices: {int32, int64}"},
    .traits = kPure | kDataDependentShape,
    .shape = segment_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kSegmentProd));

extern constexpr OpDecl kSegmentMin{
    .name = "SegmentMin",
    .doc = "Row i has the smallest elements of the rows of data whose id is i; ids ascend.",
    .inputs = {"data: T", "segment_ids: Tindices"},
    .outputs = {"output: T"},
    .attrs = {"T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, "
              "uint32, uint64}",
              "Tindices: {int32, int64}"},
    .traits = kPure | kDataDependentShape,
    .shape = segment_shape,
    .grad = segment_extreme_grad,
};
static_assert(well_formed(kSegmentMin));

extern constexpr OpDecl kSegmentMax{
    .name = "SegmentMax",
    .doc = "Row i has the largest elements of the rows of data whose id is i; ids ascend.",
    .inputs = {"data: T", "segment_ids: Tindices"},
    .outputs = {"output: T"},
    .attrs = {"T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, "
              "uint32, uint64}",
              "Tindices: {int32, int64}"},
    .traits = kPure | kDataDependentShape,
    .shape = segment_shape,
    .grad = segment_extreme_grad,
};
static_assert(well_formed(kSegmentMax));

}  // namespace rill
