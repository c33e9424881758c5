#include "rill/graph/gradient_parts.h"
#include "rill/graph/op_decl.h"
#include "rill/ops/nn/norm/batch_norm_shape.h"

namespace rill {
namespace {

Shapes global_batch_norm_shape(const ShapeCtx& c) {
  BatchNormShapes shapes(c, 0);
  for (int i = 1; i <= 4; ++i) shapes.add_vector(i);
  return {shapes.images()};
}

Shapes global_batch_norm_grad_shape(const ShapeCtx& c) {
  BatchNormShapes shapes(c, 0);
  for (int i = 1; i <= 3; ++i) shapes.add_vector(i);
  shapes.add_images(4);
  Shapes results(5, shapes.vector());
  results[0] = shapes.images();
  return results;
}

void global_batch_norm_gradient(GradCtx& g) {
  Node& node =
      g.scope().add("BatchNormWithGlobalNormalizationGrad",
                    {g.input(0), g.input(1), g.input(2), g.input(4), g.dy()},
                    {{"variance_epsilon", g.attr<float>("variance_epsilon")},
                     {"scale_after_normalization", g.attr<bool>("scale_after_normalization")}});
  for (int i = 0; i < 5; ++i) g.set(i, node.output(i));
}

}  // namespace

extern constexpr OpDecl kBatchNormWithGlobalNormalization{
    .name = "BatchNormWithGlobalNormalization",
    .doc =
        "(t - m) / sqrt(v + variance_epsilon) + beta for each channel, the quotient times gamma "
        "where scale_after_normalization says so.",
    .inputs = {"t: T", "m: T", "v: T", "beta: T", "gamma: T"},
    .outputs = {"result: T"},
    .attrs = {"T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, "
              "qint32, bfloat16, uint16, complex128, half, uint32, uint64}",
              "variance_epsilon: float", "scale_after_normalization: bool"},
    .traits = kPure | kInPlace,
    .shape = global_batch_norm_shape,
    .grad = global_batch_norm_gradient,
    .deprecated = 9,
    .deprecated_why = "Use tf.nn.batch_normalization()",
};
static_assert(well_formed(kBatchNormWithGlobalNormalization));

extern constexpr OpDecl kBatchNormWithGlobalNormalizationGrad{
    .name = "BatchNormWithGlobalNormalizationGrad",
    .doc = "The gradients of BatchNormWithGlobalNormalization by its five inputs.",
    .inputs = {"t: T", "m: T", "v: T", "gamma: T", "backprop: T"},
    .outputs = {"dx: T", "dm: T", "dv: T", "db: T", "dg: T"},
    .attrs = {"T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, "
              "qint32, bfloat16, uint16, complex128, half, uint32, uint64}",
              "variance_epsilon: float", "scale_after_normalization: bool"},
    .traits = kPure | kInPlace,
    .shape = global_batch_norm_grad_shape,
    .grad = no_gradient,
    .deprecated = 9,
    .deprecated_why = "Use tf.nn.batch_normalization()",
};
static_assert(well_formed(kBatchNormWithGlobalNormalizationGrad));

}  // namespace rill
