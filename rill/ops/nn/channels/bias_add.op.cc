#include "rill/graph/gradient_parts.h"
#include "rill/graph/kernel_work.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

// Which dimension of an input of this rank holds the channels.
int channel_axis(const ShapeCtx& c, int rank) {
  const bool second =
      c.attrs().contains("data_format") && c.attr<std::string>("data_format") == "NCHW";
  return second ? 1 : rank - 1;
}

void require_channels(const PartialShape& value) {
  require(!value.has_rank() || value.rank() >= 2,
          when_run("Input tensor must be at least 2D: ", value),
          when_built("Shape must be at least rank 2 but is rank ", value.rank()));
}

Shapes bias_add_shape(const ShapeCtx& c) {
  const PartialShape& value = c.input(0);
  const PartialShape& bias = c.input(1);
  require_channels(value);
  require(!bias.has_rank() || bias.rank() == 1, when_run("Biases must be 1D: ", bias),
          when_built("Shape must be rank 1 but is rank ", bias.rank()));
  if (!value.has_rank() || !bias.has_rank()) return {value};
  const int axis = channel_axis(c, value.rank());
  require(
      compatible(value.dim(axis), bias.dim(0)),
      when_run("Must provide as many biases as the ", axis == value.rank() - 1 ? "last" : "channel",
               " dimension of the input tensor: ", bias, " vs. ", value),
      when_built("Dimensions must be equal, but are ", value.dim(axis), " and ", bias.dim(0)));
  return {value.with_dim(axis, merge_dim(value.dim(axis), bias.dim(0)))};
}

Shapes bias_add_grad_shape(const ShapeCtx& c) {
  const PartialShape& value = c.input(0);
  require_channels(value);
  if (!value.has_rank()) return {{kUnknownDim}};
  return {{value.dim(channel_axis(c, value.rank()))}};
}

void bias_add_grad(GradCtx& g) {
  g.set(0, g.dy());
  g.set(1, g.add("BiasAddGrad", {g.dy()}, {{"data_format", g.attr<std::string>("data_format")}}));
}

void bias_add_v1_grad(GradCtx& g) {
  const Output last = sub(g, rank_of(g, g.dy()), 1);
  g.set(0, g.dy());
  g.set(1, g.add("Sum", {g.dy(), range(g, 0, last, 1)}));
}

Output int_ones_like(GradCtx& g, Output x) {
  Scope inner = g.scope().named("ones_like");
  const Output shape = shape_of(inner, x);
  const Output one = inner.constant(Tensor::scalar<std::int32_t>(1), "Const");
  return fill(g.scope(), shape, one, inner.name() + "/");
}

// dy repeated along everything but the channels.
void bias_add_grad_grad(GradCtx& g) {
  const Output shape = shape_of(g, g.input(0)), channels = shape_of(g, g.dy());
  const Tensor one = Tensor::vector<std::int32_t>({1});
  Output kept, times;
  if (g.attr<std::string>("data_format") == "NCHW") {
    const Output before = int_ones_like(g, slice_vector(g, shape, {}, 1));
    const Output after = int_ones_like(g, slice_vector(g, shape, 2, {}));
    kept = concat(g, {before, channels, after});
    const Output batch = slice_vector(g, shape, {}, 1), rest = slice_vector(g, shape, 2, {});
    times = concat(g, {batch, one, rest});
  } else {
    const Output before = int_ones_like(g, slice_vector(g, shape, {}, -1));
    kept = concat(g, {before, channels});
    times = concat(g, {slice_vector(g, shape, {}, -1), one});
  }
  g.set(0, g.add("Tile", {reshape(g, g.dy(), kept), times}));
}

}  // namespace

extern constexpr OpDecl kBiasAdd{
    .name = "BiasAdd",
    .doc = "Adds a bias to each channel: the last dimension, or with NCHW the second.",
    .inputs = {"value: T", "bias: T"},
    .outputs = {"output: T"},
    .attrs = {"T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, "
              "qint32, bfloat16, uint16, complex128, half, uint32, uint64}",
              "data_format: {'NHWC', 'NCHW'} = 'NHWC'"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = bias_add_shape,
    .cost = per_output<1>,
    .grad = bias_add_grad,
};
static_assert(well_formed(kBiasAdd));

extern constexpr OpDecl kBiasAddV1{
    .name = "BiasAddV1",
    .doc = "Adds a bias to the last dimension.",
    .inputs = {"value: T", "bias: T"},
    .outputs = {"output: T"},
    .attrs = {"T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, "
              "qint32, bfloat16, uint16, complex128, half, uint32, uint64}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = bias_add_shape,
    .grad = bias_add_v1_grad,
};
static_assert(well_formed(kBiasAddV1));

extern constexpr OpDecl kBiasAddGrad{
    .name = "BiasAddGrad",
    .doc = "The sum over all dimensions but the channels: the gradient of BiasAdd by its bias.",
    .inputs = {"out_backprop: T"},
    .outputs = {"output: T"},
    .attrs = {"T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, "
              "qint32, bfloat16, uint16, complex128, half, uint32, uint64}",
              "data_format: {'NHWC', 'NCHW'} = 'NHWC'"},
    .traits = kPure,
    .shape = bias_add_grad_shape,
    .cost = per_input<1>,
    .grad = bias_add_grad_grad,
};
static_assert(well_formed(kBiasAddGrad));

}  // namespace rill
