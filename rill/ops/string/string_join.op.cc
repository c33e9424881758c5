#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"
#include "rill/ops/string/join_shapes.h"

namespace rill {
namespace {

// Inputs that are not scalars have one shape, which is the output's.
Shapes string_join_shape(const ShapeCtx& c) {
  PartialShape out = PartialShape::scalar();
  bool may_be_scalar = false;
  for (int i = 0; i < c.input_count(); ++i) {
    const PartialShape& input = c.input(i);
    if (!input.has_rank()) may_be_scalar = true;
    if (!input.has_rank() || input.rank() == 0) continue;
    const bool is_first = out.rank() == 0;
    require(is_first || out.is_compatible(input), "Input shapes do not match: ", out, " vs. ",
            input);
    out = is_first ? input : out.merged(input);
  }
  if (out.rank() == 0 && may_be_scalar) return {PartialShape()};
  return {out};
}

Shapes reduce_join_shape(const ShapeCtx& c) {
  const PartialShape& input = c.input(0);
  const Tensor* indices = c.value(1);
  const bool keep_dims = c.flag("keep_dims");
  if (!input.has_rank()) return {PartialShape()};
  if (indices == nullptr) return {keep_dims ? PartialShape::of_rank(input.rank()) : PartialShape()};
  const JoinedDims joined = joined_dims(*indices, input.rank(), Code::kInvalidArgument);
  return {reduce_join_output(input, joined, keep_dims)};
}

Shapes segment_join_shape(const ShapeCtx& c) {
  const PartialShape &input = c.input(0), &ids = c.input(1);
  (void)c.scalar(2);
  std::int64_t segments = kUnknownDim;
  if (c.int_value(2, &segments))
    require(segments >= 0, "Number of segments must be non-negative but got ", segments);
  if (!ids.has_rank() || !input.has_rank()) return {PartialShape()};
  return {segment_join_output(input, ids, segments, Code::kInvalidArgument)};
}

}  // namespace

extern constexpr OpDecl kStringJoin{
    .name = "StringJoin",
    .doc =
        "The strings of all inputs at each place, in order, with `separator` in between. Scalars "
        "stand at every place.",
    .inputs = {"inputs: N * string"},
    .outputs = {"output: string"},
    .attrs = {"N: int >= 1", "separator: string = ''"},
    .traits = kPure,
    .shape = string_join_shape,
    .grad = not_differentiable,
};
static_assert(well_formed(kStringJoin));

extern constexpr OpDecl kReduceJoin{
    .name = "ReduceJoin",
    .doc =
        "Joins strings along dimensions with `separator` in between: along the first of "
        "`reduction_indices`, then what that gives along the second, and so on.",
    .inputs = {"inputs: string", "reduction_indices: int32"},
    .outputs = {"output: string"},
    .attrs = {"keep_dims: bool = false", "separator: string = ''"},
    .traits = kPure,
    .shape = reduce_join_shape,
    .grad = not_differentiable,
};
static_assert(well_formed(kReduceJoin));

extern constexpr OpDecl kUnsortedSegmentJoin{
    .name = "UnsortedSegmentJoin",
    .doc =
        "Row i joins the strings whose segment id is i, in their order, with `separator` in "
        "between.",
    .inputs = {"inputs: string", "segment_ids: Tindices", "num_segments: Tnumsegments"},
    .outputs = {"output: string"},
    .attrs = {"separator: string = ''", "Tindices: {int32, int64}",
              "Tnumsegments: {int32, int64} = DT_INT32"},
    .traits = kPure,
    .shape = segment_join_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kUnsortedSegmentJoin));

}  // namespace rill
