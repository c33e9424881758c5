#include "rill/graph/gradient_parts.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

Shapes unsorted_segment_shape(const ShapeCtx& c) {
  const PartialShape &data = c.input(0), &ids = c.input(1);
  c.scalar(2);
  if (!data.has_rank() || !ids.has_rank()) return {PartialShape()};
  require(data.rank() >= ids.rank(), "data.shape = ", data,
          " does not start with segment_ids.shape = ", ids);
  for (int d = 0; d < ids.rank(); ++d)
    require(compatible(data.dim(d), ids.dim(d)), "data.shape = ", data,
            " does not start with segment_ids.shape = ", ids);
  std::int64_t count = kUnknownDim;
  if (c.int_value(2, &count))
    require(count >= 0, "Input num_segments == ", count, " must not be negative.");
  PartialShape out{count};
  for (int d = ids.rank(); d < data.rank(); ++d) out.add_dim(data.dim(d));
  return {out};
}

// Rows of dy, zeros for rows that were dropped because their id is negative.
void unsorted_segment_sum_grad(GradCtx& g) {
  const Output ids = g.input(1);
  const Output clipped = g.add("Maximum", {ids, zeros_like(g, ids)});
  const Output rows = gather(g, g.dy(), clipped);
  Output kept = g.add("GreaterEqual", {ids, 0});
  const Output kept_shape = shape_of(g, kept);
  const Output more = sub(g, rank_of(g, rows), rank_of(g, kept));
  Scope inner = g.scope().named("ones");
  const Output count = inner.add("Pack", {std::vector<Input>{more}}, {}, "packed").output();
  const Output one = inner.constant(Tensor::scalar<std::int32_t>(1), "Const");
  const Output ones = fill(g.scope(), count, one, inner.name() + "/");
  kept = reshape(g, kept, concat(g, {kept_shape, ones}));
  g.set(0, g.add("SelectV2", {kept, rows, zeros_like(g, rows)}));
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

}  // namespace rill
