#include "rill/graph/gradient_parts.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

Shapes vars_shape(const ShapeCtx& c) {
  (void)c.scalar(1);
  (void)c.scalar(2);
  return {c.input(0)};
}

Shapes vars_gradient_shape(const ShapeCtx& c) {
  (void)c.scalar(2);
  (void)c.scalar(3);
  return {merge_shapes(c.input(0), c.input(1)), PartialShape::scalar(), PartialShape::scalar()};
}

// The number of channels, which the last dimension of `data` and both limits agree on.
std::int64_t channel_count(const ShapeCtx& c, const PartialShape& data, int min_input) {
  std::int64_t count = data.has_rank() ? data.dim(data.rank() - 1) : kUnknownDim;
  for (int i = min_input; i < min_input + 2; ++i) {
    const std::int64_t size = c.vector(i).dim(0);
    require(compatible(count, size), "Dimensions must be equal, but are ", count, " and ", size);
    count = merge_dim(count, size);
  }
  return count;
}

PartialShape with_last_dim(const PartialShape& shape, std::int64_t dim) {
  return shape.has_rank() ? shape.with_dim(shape.rank() - 1, dim) : shape;
}

Shapes per_channel_shape(const ShapeCtx& c) {
  const PartialShape data = c.with_rank_at_least(0, 1);
  return {with_last_dim(data, channel_count(c, data, 1))};
}

Shapes per_channel_gradient_shape(const ShapeCtx& c) {
  const PartialShape data = merge_shapes(c.with_rank_at_least(0, 1), c.with_rank_at_least(1, 1));
  require(!data.has_rank() || data.rank() <= 4, "Shape must be at most rank 4 but is rank ",
          data.rank());
  const std::int64_t count = channel_count(c, data, 2);
  return {with_last_dim(data, count), {count}, {count}};
}

AttrMap same_bits(GradCtx& g) {
  return {{"num_bits", g.attr<std::int64_t>("num_bits")},
          {"narrow_range", g.attr<bool>("narrow_range")}};
}

void args_grad(GradCtx& g) {
  AttrMap attrs = same_bits(g);
  for (const char* limit : {"min", "max"}) attrs.emplace(limit, g.attr<float>(limit));
  g.set(0, g.add("FakeQuantWithMinMaxArgsGradient", {g.dy(), g.input(0)}, std::move(attrs)));
}

void limits_grad(GradCtx& g, const char* op) {
  Node& node = g.scope().add(op, {g.dy(), g.input(0), g.input(1), g.input(2)}, same_bits(g));
  for (int i = 0; i < 3; ++i) g.set(i, node.output(i));
}
void vars_grad(GradCtx& g) { limits_grad(g, "FakeQuantWithMinMaxVarsGradient"); }
void per_channel_grad(GradCtx& g) { limits_grad(g, "FakeQuantWithMinMaxVarsPerChannelGradient"); }

}  // namespace

extern constexpr OpDecl kFakeQuantWithMinMaxArgs{
    .name = "FakeQuantWithMinMaxArgs",
    .doc =
        "`inputs` clamped to [min, max] and rounded to one of the 2^num_bits numbers, zero among "
        "them, that divide it evenly; narrow_range leaves out the lowest.",
    .inputs = {"inputs: float"},
    .outputs = {"outputs: float"},
    .attrs = {"min: float = -6.0", "max: float = 6.0", "num_bits: int = 8",
              "narrow_range: bool = false"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
    .grad = args_grad,
};
static_assert(well_formed(kFakeQuantWithMinMaxArgs));

extern constexpr OpDecl kFakeQuantWithMinMaxArgsGradient{
    .name = "FakeQuantWithMinMaxArgsGradient",
    .doc = "`gradients` where `inputs` lie within the range, zero elsewhere.",
    .inputs = {"gradients: float", "inputs: float"},
    .outputs = {"backprops: float"},
    .attrs = {"min: float = -6.0", "max: float = 6.0", "num_bits: int = 8",
              "narrow_range: bool = false"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = merge_inputs,
    .grad = no_gradient,
};
static_assert(well_formed(kFakeQuantWithMinMaxArgsGradient));

extern constexpr OpDecl kFakeQuantWithMinMaxVars{
    .name = "FakeQuantWithMinMaxVars",
    .doc = "FakeQuantWithMinMaxArgs whose limits are inputs.",
    .inputs = {"inputs: float", "min: float", "max: float"},
    .outputs = {"outputs: float"},
    .attrs = {"num_bits: int = 8", "narrow_range: bool = false"},
    .traits = kPure | kInPlace,
    .shape = vars_shape,
    .grad = vars_grad,
};
static_assert(well_formed(kFakeQuantWithMinMaxVars));

extern constexpr OpDecl kFakeQuantWithMinMaxVarsGradient{
    .name = "FakeQuantWithMinMaxVarsGradient",
    .doc =
        "`gradients` where `inputs` lie within the range; the sums of those below go to min and of "
        "those above to max.",
    .inputs = {"gradients: float", "inputs: float", "min: float", "max: float"},
    .outputs = {"backprops_wrt_input: float", "backprop_wrt_min: float", "backprop_wrt_max: float"},
    .attrs = {"num_bits: int = 8", "narrow_range: bool = false"},
    .traits = kPure | kInPlace,
    .shape = vars_gradient_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kFakeQuantWithMinMaxVarsGradient));

extern constexpr OpDecl kFakeQuantWithMinMaxVarsPerChannel{
    .name = "FakeQuantWithMinMaxVarsPerChannel",
    .doc = "FakeQuantWithMinMaxVars with limits for each index of the last dimension.",
    .inputs = {"inputs: float", "min: float", "max: float"},
    .outputs = {"outputs: float"},
    .attrs = {"num_bits: int = 8", "narrow_range: bool = false"},
    .traits = kPure | kInPlace,
    .shape = per_channel_shape,
    .grad = per_channel_grad,
};
static_assert(well_formed(kFakeQuantWithMinMaxVarsPerChannel));

extern constexpr OpDecl kFakeQuantWithMinMaxVarsPerChannelGradient{
    .name = "FakeQuantWithMinMaxVarsPerChannelGradient",
    .doc = "FakeQuantWithMinMaxVarsGradient with limits for each index of the last dimension.",
    .inputs = {"gradients: float", "inputs: float", "min: float", "max: float"},
    .outputs = {"backprops_wrt_input: float", "backprop_wrt_min: float", "backprop_wrt_max: float"},
    .attrs = {"num_bits: int = 8", "narrow_range: bool = false"},
    .traits = kPure | kInPlace,
    .shape = per_channel_gradient_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kFakeQuantWithMinMaxVarsPerChannelGradient));

}  // namespace rill
