#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"
#include "rill/ops/math/segment/segment_grad.h"

namespace rill {
namespace {

Shapes unsorted_segment_shape(const ShapeCtx& c) {
  const PartialShape &data = c.input(0), &ids = c.input(1);
  c.scalar(2);
  if (!data.has_rank() || !ids.has_rank()) return {PartialShape()};
  require(data.rank() >= ids.rank(), "data.shape = ", data,
          " does not start with segment_ids.shape = ", ids);
  for (int d = 0; d < ids.rank(); ++d)
    require(compatible(data.dim(d), ids.dim(d)),
            when_run("data.shape = ", data, " does not start with segment_ids.shape = ", ids),
            when_built("Dimensions must be equal, but are ", data.dim(d), " and ", ids.dim(d)));
  std::int64_t count = kUnknownDim;
  if (c.int_value(2, &count))
    require(count >= 0, "Input num_segments == ", count, " must not be negative.");
  PartialShape out{count};
  for (int d = ids.rank(); d < data.rank(); ++d) out.add_dim(data.dim(d));
  return {out};
}

void unsorted_segment_sum_grad(GradCtx& g) { g.set(0, gather_kept(g, g.dy(), g.input(1)).rows); }

// Every element that is the largest (or smallest) of its segment gets an equal share.
void unsorted_segment_extreme_grad(GradCtx& g) {
  const Output x = g.input(0), ids = g.input(1), count = g.input(2);
  const KeptRows results = gather_kept(g, g.output(), ids);
  const Output equal = g.add("Equal", {x, results.rows});
  const Output chosen = g.add("LogicalAnd", {equal, results.kept});
  const Output chosen_count =
      g.add("UnsortedSegmentSum", {cast(g, chosen, base_type(g.dy().dtype())), ids, count});
  const Output shares =
      gather_kept(g, truediv(g, g.dy(), chosen_count), ids, results.places, results.kept).rows;
  g.set(0, g.add("SelectV2", {chosen, shares, zeros_like(g, shares)}));
}

// The product of the others: the whole product over the element itself or, where that is zero, the
// product of what is not zero; nothing where a segment has two zeros.
void unsorted_segment_prod_grad(GradCtx& g) {
  const Output x = g.input(0), ids = g.input(1), count = g.input(2);
  const Output is_zero = g.add("Equal", {x, 0});
  const Output zero_count = g.add("UnsortedSegmentSum", {cast(g, is_zero, DType::i32), ids, count});
  const Output hopeless = g.add("Greater", {zero_count, 1});
  const Output dy = g.add("SelectV2", {hopeless, zeros_like(g, g.dy()), g.dy()});
  const Output without_zeros = g.add("SelectV2", {is_zero, ones_like(g, x), x});
  const Output product_without = g.add("UnsortedSegmentProd", {without_zeros, ids, count});
  const Output places = g.add("Maximum", {ids, zeros_like(g, ids)});
  const Output product = gather(g, g.output(), places);
  const Output others = gather(g, product_without, places);
  const Output quotient = truediv(g, product, x);
  const Output partial = g.add("SelectV2", {is_zero, others, quotient});
  g.set(0, mul(g, gather_kept(g, dy, ids, places).rows, partial));
}

}  // namespace

extern constexpr OpDecl kUnsortedSegmentSum{
    .name = "UnsortedSegmentSum",
    .doc =
        "Row i is the sum of the rows of data whose segment id is i; rows with a negative id are "
        "left out.",
    .inputs = {"data: T", "segment_ids: Tindices", "num_segments: Tnumsegments"},
    .outputs = {"output: T"},
    .attrs = {"T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, "
              "qint32, bfloat16, uint16, complex128, half, uint32, uint64}",
              "Tindices: {int32, int64}", "Tnumsegments: {int32, int64} = DT_INT32"},
    .traits = kPure,
    .shape = unsorted_segment_shape,
    .grad = unsorted_segment_sum_grad,
};
static_assert(well_formed(kUnsortedSegmentSum));

extern constexpr OpDecl kUnsortedSegmentMax{
    .name = "UnsortedSegmentMax",
    .doc =
        "Row i has the largest elements of the rows of data whose id is i, the lowest number if "
        "none.",
    .inputs = {"data: T", "segment_ids: Tindices", "num_segments: Tnumsegments"},
    .outputs = {"output: T"},
    .attrs = {"T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, "
              "uint32, uint64}",
              "Tindices: {int32, int64}", "Tnumsegments: {int32, int64} = DT_INT32"},
    .traits = kPure,
    .shape = unsorted_segment_shape,
    .grad = unsorted_segment_extreme_grad,
};
static_assert(well_formed(kUnsortedSegmentMax));

extern constexpr OpDecl kUnsortedSegmentMin{
    .name = "UnsortedSegmentMin",
    .doc =
        "Row i has the smallest elements of the rows of data whose id is i, the highest number if "
        "none.",
    .inputs = {"data: T", "segment_ids: Tindices", "num_segments: Tnumsegments"},
    .outputs = {"output: T"},
    .attrs = {"T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, "
              "uint32, uint64}",
              "Tindices: {int32, int64}", "Tnumsegments: {int32, int64} = DT_INT32"},
    .traits = kPure,
    .shape = unsorted_segment_shape,
    .grad = unsorted_segment_extreme_grad,
};
static_assert(well_formed(kUnsortedSegmentMin));

extern constexpr OpDecl kUnsortedSegmentProd{
    .name = "UnsortedSegmentProd",
    .doc = "Row i is the product of the rows of data whose id is i, one if none.",
    .inputs = {"data: T", "segment_ids: Tindices", "num_segments: Tnumsegments"},
    .outputs = {"output: T"},
    .attrs = {"T: numbertype", "Tindices: {int32, int64}",
              "Tnumsegments: {int32, int64} = DT_INT32"},
    .traits = kPure,
    .shape = unsorted_segment_shape,
    .grad = unsorted_segment_prod_grad,
};
static_assert(well_formed(kUnsortedSegmentProd));

}  // namespace rill
