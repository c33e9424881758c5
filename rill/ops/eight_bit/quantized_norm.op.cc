#include "rill/graph/op_decl.h"
#include "rill/ops/eight_bit/ranged_shape.h"
#include "rill/ops/nn/norm/batch_norm_shape.h"

namespace rill {
namespace {

Shapes quantized_instance_norm_shape(const ShapeCtx& c) {
  return with_scalar_range(c, c.with_rank(0, 4), 1);
}

Shapes quantized_batch_norm_shape(const ShapeCtx& c) {
  BatchNormShapes shapes(c, 0);
  for (int i = 3; i < c.input_count(); i += 3) shapes.add_vector(i);
  for (int i = 0; i < c.input_count(); i += 3) (void)with_scalar_range(c, {}, i + 1, i + 3);
  return with_scalar_range(c, shapes.images(), 1, 3);
}

}  // namespace

extern constexpr OpDecl kQuantizedInstanceNorm{
    .name = "QuantizedInstanceNorm",
    .doc =
        "Each channel of each quantised image, less its mean and divided by its deviation, in a "
        "given range or that of the results, which is at least min_separation wide.",
    .inputs = {"x: T", "x_min: float", "x_max: float"},
    .outputs = {"y: T", "y_min: float", "y_max: float"},
    .attrs = {"T: {qint8, quint8, qint32, qint16, quint16}", "output_range_given: bool = false",
              "given_y_min: float = 0", "given_y_max: float = 0", "variance_epsilon: float = 1e-05",
              "min_separation: float = 0.001"},
    .traits = kPure,
    .shape = quantized_instance_norm_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kQuantizedInstanceNorm));

extern constexpr OpDecl kQuantizedBatchNormWithGlobalNormalization{
    .name = "QuantizedBatchNormWithGlobalNormalization",
    .doc = "BatchNormWithGlobalNormalization of quantised images, computed in fixed point.",
    .inputs = {"t: Tinput", "t_min: float", "t_max: float", "m: Tinput", "m_min: float",
               "m_max: float", "v: Tinput", "v_min: float", "v_max: float", "beta: Tinput",
               "beta_min: float", "beta_max: float", "gamma: Tinput", "gamma_min: float",
               "gamma_max: float"},
    .outputs = {"result: out_type", "result_min: float", "result_max: float"},
    .attrs = {"Tinput: {qint8, quint8, qint32, qint16, quint16}",
              "out_type: {qint8, quint8, qint32, qint16, quint16}", "variance_epsilon: float",
              "scale_after_normalization: bool"},
    .traits = kPure,
    .shape = quantized_batch_norm_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kQuantizedBatchNormWithGlobalNormalization));

}  // namespace rill
