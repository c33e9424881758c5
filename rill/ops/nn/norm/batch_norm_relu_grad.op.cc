#include "rill/graph/kernel_work.h"
#include "rill/graph/op_decl.h"
#include "rill/ops/nn/norm/batch_norm_shape.h"

namespace rill {
namespace {

Shapes batch_norm_relu_grad_shape(const ShapeCtx& c) {
  BatchNormShapes shapes(c, 1);
  shapes.add_images(0);
  for (int i = 2; i <= 5; ++i) shapes.add_vector(i);
  return {shapes.images(), shapes.vector(), shapes.vector()};
}

}  // namespace

extern constexpr OpDecl kBatchNormReluGrad{
    .name = "_BatchNormReluGrad",
    .doc =
        "The gradient of Relu or Relu6, which activation_mode names, of a batch normalisation by "
        "the mean and the variance of the batch. Graph rewriting makes it.",
    .inputs = {"y_backprop: T", "x: T", "scale: T", "offset: T", "mean: T", "variance: T"},
    .outputs = {"x_backprop: T", "scale_backprop: T", "offset_backprop: T"},
    .attrs = {"T: {float}", "epsilon: float = 0.0001", "data_format: {'NHWC', 'NCHW'} = 'NHWC'",
              "activation_mode: {'Relu', 'Relu6'} = 'Relu'"},
    .traits = kPure | kInPlace,
    .shape = batch_norm_relu_grad_shape,
    .cost = per_input<17>,
    .grad = no_gradient,
};
static_assert(well_formed(kBatchNormReluGrad));

}  // namespace rill
