#include <algorithm>

#include "rill/graph/flow_context.h"
#include "rill/graph/gradient_parts.h"
#include "rill/graph/kernel_work.h"
#include "rill/graph/op_decl.h"
#include "rill/ops/array/values/shape_values.h"

namespace rill {
namespace {

// The dimensions on the same side of `axis` as d.
PartialShape side_of(const PartialShape& shape, int axis, int d) {
  const auto dims = shape.dims();
  const auto at = static_cast<std::size_t>(axis < 0 ? 0 : axis);
  return PartialShape(d > axis ? dims.subspan(axis < 0 ? 0 : at + 1) : dims.first(at));
}

// All of `first` to `last` (exclusive) except along `axis` must agree; the sum along it is kept.
PartialShape concatenated(const ShapeCtx& c, int first, int last, int axis) {
  PartialShape out = c.input(first);
  for (int i = first + 1; i < last; ++i) {
    const PartialShape& next = c.input(i);
    if (!next.has_rank()) continue;
    for (int d = 0; d < out.rank(); ++d) {
      if (d == axis) {
        const bool known = out.dim(d) >= 0 && next.dim(d) >= 0;
        out = out.with_dim(d, known ? out.dim(d) + next.dim(d) : kUnknownDim);
        continue;
      }
      if (!compatible(out.dim(d), next.dim(d)))
        require(false,
                when_run("ConcatOp : Dimension ", d, " in both shapes must be equal: shape[0] = ",
                         c.input(first), " vs. shape[", i - first, "] = ", next),
                when_built(merge_refusal(side_of(out, axis, d), side_of(next, axis, d))));
      out = out.with_dim(d, merge_dim(out.dim(d), next.dim(d)));
    }
  }
  return out;
}

Shapes concat_shape_at(const ShapeCtx& c, int first, int last, int axis_input) {
  (void)c.scalar(axis_input);
  int with_rank = -1;  // the first input whose rank is known
  bool all_ranks = true;
  for (int i = last - 1; i >= first; --i) {
    all_ranks &= c.input(i).has_rank();
    if (c.input(i).has_rank()) with_rank = i;
  }
  if (with_rank < 0) return {PartialShape()};
  const PartialShape& known = c.input(with_rank);
  const int rank = known.rank();
  for (int i = first; i < last; ++i) {
    const bool of_rank = !c.input(i).has_rank() || c.input(i).rank() == rank;
    require(of_rank || rank == 0,
            when_run("ConcatOp : Ranks of all input tensors should match: shape[0] = ", known,
                     " vs. shape[", i - first, "] = ", c.input(i)),
            when_built("Shape must be rank ", rank, " but is rank ", c.input(i).rank()));
  }
  require(rank > 0, when_run("ConcatOp : Can't concatenate scalars (use tf.stack instead)"),
          when_built("Can't concatenate scalars (use tf.stack instead)"));
  std::int64_t axis = 0;
  if (!c.int_value(axis_input, &axis)) return {PartialShape::of_rank(rank)};
  require(axis >= -rank && axis < rank,
          when_run("ConcatOp : Expected concatenating dimensions in the range [", -rank, ", ", rank,
                   "), but got ", axis),
          when_built("Shape must be at least rank ", axis < 0 ? -axis : axis + 1, " but is rank ",
                     rank));
  const auto d = static_cast<int>(axis < 0 ? axis + rank : axis);
  PartialShape out = concatenated(c, with_rank, last, d);
  return {all_ranks ? out : out.with_dim(d, kUnknownDim)};
}

Shapes concat_shape(const ShapeCtx& c) { return concat_shape_at(c, 1, c.input_count(), 0); }
Shapes concat_v2_shape(const ShapeCtx& c) {
  return concat_shape_at(c, 0, c.input_count() - 1, c.input_count() - 1);
}

// The tensors are followed by the ends of their ranges.
Shapes quantized_concat_shape(const ShapeCtx& c) {
  const int count = (c.input_count() - 1) / 3;
  for (int i = count + 1; i < c.input_count(); ++i) (void)c.scalar(i);
  return {concat_shape_at(c, 1, count + 1, 0)[0], PartialShape::scalar(), PartialShape::scalar()};
}

Shapes concat_offset_shape(const ShapeCtx& c) {
  (void)c.scalar(0);
  Shapes shapes;
  for (int i = 1; i < c.input_count(); ++i) shapes.push_back(c.vector(i));
  return shapes;
}

// Input i does not go with `rest`, what the inputs behind it have in common.
void refuse_pack(const ShapeCtx& c, int i, const PartialShape& rest) {
  int other = 0;
  while (other < c.input_count() - 1 && c.input(other).is_compatible(c.input(0))) ++other;
  require(false,
          when_run("Shapes of all inputs must match: values[0].shape = ", c.input(0), " != values[",
                   other, "].shape = ", c.input(other)),
          when_built(merge_refusal(c.input(i), rest), "\n\tFrom merging shape ", i,
                     " with other shapes."));
}

Shapes pack_shape(const ShapeCtx& c) {
  PartialShape item;
  for (int i = c.input_count() - 1; i >= 0; --i) {
    if (!c.input(i).is_compatible(item)) refuse_pack(c, i, item);
    item = c.input(i).merged(item);
  }
  if (!item.has_rank()) return {PartialShape()};
  const int rank = item.rank() + 1;
  const auto axis = c.attr<std::int64_t>("axis");
  require(axis >= -rank && axis < rank, "axis = ", axis, " not in [", -rank, ", ", rank, ")");
  const auto at = static_cast<int>(axis < 0 ? axis + rank : axis);
  return {replace_dims(item, at, 0, c.input_count())};
}

// Cuts dy where the inputs from `first` to `last` (exclusive) were joined.
void concat_grads(GradCtx& g, int first, int last, int axis_input) {
  Output axis = g.input(axis_input);
  const Output dy = g.dy();
  if (last - first == 1) return g.set(first, dy);
  // A constant of another branch or loop is cheaper made anew than brought here.
  const bool is_elsewhere = output_context(*axis.node) != output_context(*dy.node);
  if (is_elsewhere && axis.node->op().name == "Const")
    axis = g.scope().constant(axis.node->attr<Tensor>("value"));
  const Output rank = rank_of(g, g.input(first));
  const Output place = floormod(g, axis, cast(g, rank, base_type(axis.dtype())));
  std::vector<Input> shapes;
  bool all_known = true;
  for (int i = first; i < last && all_known; ++i) {
    shapes.emplace_back(shape_of(g, g.input(i)));
    all_known = g.input(i).shape().is_full();
  }
  if (!all_known) {
    std::vector<Input> values;
    for (int i = first; i < last; ++i) values.emplace_back(g.input(i));
    Node& node = g.scope().add("ShapeN", {std::move(values)});
    shapes.clear();
    for (int i = 0; i < last - first; ++i) shapes.emplace_back(node.output(i));
  }
  Node& offsets = g.scope().add("ConcatOffset", {cast(g, place, DType::i32), shapes});
  for (int i = first; i < last; ++i)
    g.set(i, g.add("Slice",
                   {dy, offsets.output(i - first), shapes[static_cast<std::size_t>(i - first)]}));
}

void concat_grad(GradCtx& g) { concat_grads(g, 1, g.input_count(), 0); }
void concat_v2_grad(GradCtx& g) { concat_grads(g, 0, g.input_count() - 1, g.input_count() - 1); }

void pack_grad(GradCtx& g) {
  Node& parts = g.scope().add(
      "Unpack", {g.dy()},
      {{"num", g.attr<std::int64_t>("N")}, {"axis", g.attr<std::int64_t>("axis")}}, "unstack");
  for (int i = 0; i < g.input_count(); ++i) g.set(i, parts.output(i));
}

}  // namespace

extern constexpr OpDecl kConcat{
    .name = "Concat",
    .doc = "Joins tensors along one dimension.",
    .inputs = {"concat_dim: int32", "values: N * T"},
    .outputs = {"output: T"},
    .attrs = {"N: int >= 2", "T: type"},
    .traits = kPure,
    .shape = concat_shape,
    .cost = no_flops,
    .grad = concat_grad,
};
static_assert(well_formed(kConcat));

extern constexpr OpDecl kConcatV2{
    .name = "ConcatV2",
    .doc = "Joins tensors along one dimension.",
    .inputs = {"values: N * T", "axis: Tidx"},
    .outputs = {"output: T"},
    .attrs = {"N: int >= 2", "T: type", "Tidx: {int32, int64} = DT_INT32"},
    .traits = kPure,
    .shape = concat_v2_shape,
    .cost = no_flops,
    .grad = concat_v2_grad,
};
static_assert(well_formed(kConcatV2));

extern constexpr OpDecl kQuantizedConcat{
    .name = "QuantizedConcat",
    .doc = "Joins quantised tensors along one dimension, in a range that holds all of theirs.",
    .inputs = {"concat_dim: int32", "values: N * T", "input_mins: N * float",
               "input_maxes: N * float"},
    .outputs = {"output: T", "output_min: float", "output_max: float"},
    .attrs = {"N: int >= 2", "T: type"},
    .traits = kPure,
    .shape = quantized_concat_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kQuantizedConcat));

extern constexpr OpDecl kConcatOffset{
    .name = "ConcatOffset",
    .doc = "Where each of several shapes begins in their concatenation.",
    .inputs = {"concat_dim: int32", "shape: N * int32"},
    .outputs = {"offset: N * int32"},
    .attrs = {"N: int >= 2"},
    .traits = kPure,
    .shape = concat_offset_shape,
    .grad = not_differentiable,
};
static_assert(well_formed(kConcatOffset));

extern constexpr OpDecl kPack{
    .name = "Pack",
    .doc = "Stacks tensors of one shape along a new dimension.",
    .inputs = {"values: N * T"},
    .outputs = {"output: T"},
    .attrs = {"N: int >= 1", "T: type", "axis: int = 0"},
    .traits = kPure,
    .shape = pack_shape,
    .cost = no_flops,
    .grad = pack_grad,
};
static_assert(well_formed(kPack));

}  // namespace rill
