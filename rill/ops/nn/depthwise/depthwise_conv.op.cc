#include "rill/graph/op_decl.h"
#include "rill/ops/array/values/shape_values.h"
#include "rill/ops/nn/conv/conv_cost.h"
#include "rill/ops/nn/conv/conv_grad.h"
#include "rill/ops/nn/depthwise/depthwise_shape.h"

namespace rill {
namespace {

Shapes depthwise_shape(const ShapeCtx& c) {
  return {depthwise_shapes(c.op(), c.attrs(), c.input(0), c.input(1)).results()};
}

// The shape that input `sizes` tells, for gradients of images or of a filter.
Shapes depthwise_back_shape(const ShapeCtx& c, int sizes) {
  const PartialShape wanted = known_dims(c, sizes);
  require(!wanted.has_rank() || wanted.rank() == 4, c.op().inputs[sizes == 0 ? 0u : 1u].name,
          ": input must be 4-dimensional, not ", wanted);
  const ConvShapes shapes = depthwise_shapes(c.op(), c.attrs(), sizes == 0 ? wanted : c.input(0),
                                             sizes == 0 ? c.input(1) : wanted);
  require(shapes.results().is_compatible(c.input(2)), "out_backprop has shape ", c.input(2),
          ", but the convolution's results have shape ", shapes.results());
  return {wanted.has_rank() ? wanted : PartialShape::of_rank(4)};
}
Shapes depthwise_to_images_shape(const ShapeCtx& c) { return depthwise_back_shape(c, 0); }
Shapes depthwise_to_filter_shape(const ShapeCtx& c) { return depthwise_back_shape(c, 1); }

constexpr ConvNames kNames{"DepthwiseConv2dNative", "DepthwiseConv2dNativeBackpropInput",
                           "DepthwiseConv2dNativeBackpropFilter"};

void depthwise_grad(GradCtx& g) {
  const Output images = shape_of(g, g.input(0));
  g.set(0, g.add(kNames.to_images, {images, g.input(1), g.dy()}, conv_attrs(g)));
  const Output filter = shape_of(g, g.input(1));
  g.set(1, g.add(kNames.to_filter, {g.input(0), filter, g.dy()}, conv_attrs(g)));
}

}  // namespace

extern constexpr OpDecl kDepthwiseConv2dNative{
    .name = "DepthwiseConv2dNative",
    .doc =
        "Convolves each channel of images by itself with its part of a filter [height, width, in, "
        "multiplier]; channel i gives results i * multiplier and following.",
    .inputs = {"input: T", "filter: T"},
    .outputs = {"output: T"},
    .attrs = {"T: {half, bfloat16, float, double}", "strides: list(int)",
              "padding: {'SAME', 'VALID'}", "data_format: {'NHWC', 'NCHW'} = 'NHWC'",
              "dilations: list(int) = [1, 1, 1, 1]"},
    .traits = kPure,
    .shape = depthwise_shape,
    .cost = depthwise_flops,
    .grad = depthwise_grad,
};
static_assert(well_formed(kDepthwiseConv2dNative));

extern constexpr OpDecl kDepthwiseConv2dNativeBackpropInput{
    .name = "DepthwiseConv2dNativeBackpropInput",
    .doc = "The gradient of DepthwiseConv2dNative with respect to its images.",
    .inputs = {"input_sizes: int32", "filter: T", "out_backprop: T"},
    .outputs = {"output: T"},
    .attrs = {"T: {half, bfloat16, float, double}", "strides: list(int)",
              "padding: {'SAME', 'VALID'}", "data_format: {'NHWC', 'NCHW'} = 'NHWC'",
              "dilations: list(int) = [1, 1, 1, 1]"},
    .traits = kPure,
    .shape = depthwise_to_images_shape,
    .cost = depthwise_input_grad_flops,
    .grad = conv_back_to_images_grad<kNames>,
};
static_assert(well_formed(kDepthwiseConv2dNativeBackpropInput));

extern constexpr OpDecl kDepthwiseConv2dNativeBackpropFilter{
    .name = "DepthwiseConv2dNativeBackpropFilter",
    .doc = "The gradient of DepthwiseConv2dNative with respect to its filter.",
    .inputs = {"input: T", "filter_sizes: int32", "out_backprop: T"},
    .outputs = {"output: T"},
    .attrs = {"T: {half, bfloat16, float, double}", "strides: list(int)",
              "padding: {'SAME', 'VALID'}", "data_format: {'NHWC', 'NCHW'} = 'NHWC'",
              "dilations: list(int) = [1, 1, 1, 1]"},
    .traits = kPure,
    .shape = depthwise_to_filter_shape,
    .cost = depthwise_filter_grad_flops,
    .grad = conv_back_to_filter_grad<kNames>,
};
static_assert(well_formed(kDepthwiseConv2dNativeBackpropFilter));

}  // namespace rill
