#include "rill/graph/op_decl.h"
#include "rill/ops/nn/conv/conv_cost.h"
#include "rill/ops/nn/conv/conv_shape.h"

namespace rill {
namespace {

Shapes fused_conv_shape(const ShapeCtx& c) {
  const ConvShapes shapes(c.op(), c.attrs(), c.input(0), c.input(1));
  for (int i = 2; i < c.input_count(); ++i) {
    const std::int64_t size = c.vector(i).dim(0);
    require(compatible(size, shapes.out_channels), "argument ", i - 2, " has ", size,
            " elements where there are ", shapes.out_channels, " channels");
  }
  return {shapes.results()};
}

}  // namespace

extern constexpr OpDecl kFusedConv2D{
    .name = "_FusedConv2D",
    .doc =
        "Conv2D followed by fused_ops: BiasAdd (args: bias) or FusedBatchNorm (args: scale, "
        "offset, mean, variance), then perhaps Relu, Relu6 or Elu. Graph rewriting makes it.",
    .inputs = {"input: T", "filter: T", "args: num_args * T"},
    .outputs = {"output: T"},
    .attrs = {"T: {float, double}", "num_args: int >= 0", "strides: list(int)",
              "padding: {'SAME', 'VALID', 'EXPLICIT'}", "explicit_paddings: list(int) = []",
              "data_format: {'NHWC', 'NCHW'} = 'NHWC'", "dilations: list(int) = [1, 1, 1, 1]",
              "use_cudnn_on_gpu: bool = true", "fused_ops: list(string) = []",
              "epsilon: float = 0.0001"},
    .traits = kPure,
    .shape = fused_conv_shape,
    .cost = conv_flops,
    .grad = no_gradient,
};
static_assert(well_formed(kFusedConv2D));

}  // namespace rill
