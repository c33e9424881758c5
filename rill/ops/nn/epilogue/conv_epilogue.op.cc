#include "rill/graph/op_decl.h"
#include "rill/ops/nn/conv/conv_cost.h"
#include "rill/ops/nn/depthwise/depthwise_shape.h"
#include "rill/ops/nn/epilogue/epilogue_shape.h"

namespace rill {
namespace {

Shapes conv_epilogue_shape(const ShapeCtx& c) {
  return {epilogue_shape(c, ConvShapes(c.op(), c.attrs(), c.input(0), c.input(1)).results(), 2)};
}
Shapes depthwise_epilogue_shape(const ShapeCtx& c) {
  return {
      epilogue_shape(c, depthwise_shapes(c.op(), c.attrs(), c.input(0), c.input(1)).results(), 2)};
}

}  // namespace

extern constexpr OpDecl kConv2DEpilogue{
    .name = "_Conv2DEpilogue",
    .doc =
        "Conv2D of images with channels last, with what `epilogue` lists done to the results. "
        "`prepack`: "
        "what is made of the filter and the arguments is kept while these stay the same. "
        "`lowered`: "
        "images and filter may be rounded to bfloat16. Graph rewriting makes it.",
    .inputs = {"input: T", "filter: T", "args: num_args * T"},
    .outputs = {"output: T"},
    .attrs = {"T: {float}", "num_args: int >= 0", "strides: list(int)",
              "padding: {'SAME', 'VALID', 'EXPLICIT'}", "explicit_paddings: list(int) = []",
              "data_format: {'NHWC'} = 'NHWC'", "dilations: list(int) = [1, 1, 1, 1]",
              "epilogue: list(string) = []", "epsilon: float = 0.0001", "alpha: float = 0.2",
              "prepack: bool = false", "lowered: bool = false"},
    .traits = kPure,
    .shape = conv_epilogue_shape,
    .cost = conv_flops,
    .grad = no_gradient,
};
static_assert(well_formed(kConv2DEpilogue));

extern constexpr OpDecl kDepthwiseConv2dEpilogue{
    .name = "_DepthwiseConv2dEpilogue",
    .doc = "DepthwiseConv2dNative, otherwise as _Conv2DEpilogue.",
    .inputs = {"input: T", "filter: T", "args: num_args * T"},
    .outputs = {"output: T"},
    .attrs = {"T: {float}", "num_args: int >= 0", "strides: list(int)",
              "padding: {'SAME', 'VALID'}", "data_format: {'NHWC'} = 'NHWC'",
              "dilations: list(int) = [1, 1, 1, 1]", "epilogue: list(string) = []",
              "epsilon: float = 0.0001", "alpha: float = 0.2", "prepack: bool = false"},
    .traits = kPure,
    .shape = depthwise_epilogue_shape,
    .cost = depthwise_flops,
    .grad = no_gradient,
};
static_assert(well_formed(kDepthwiseConv2dEpilogue));

}  // namespace rill
