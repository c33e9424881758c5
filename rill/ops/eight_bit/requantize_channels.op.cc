#include "rill/graph/op_decl.h"
#include "rill/ops/eight_bit/ranged_shape.h"

namespace rill {
namespace {

void require_vectors(const ShapeCtx& c) {
  (void)c.vector(1);
  (void)c.vector(2);
}

Shapes requantize_channels_shape(const ShapeCtx& c) {
  require_vectors(c);
  return with_scalar_range(c, c.input(0), 3);
}

Shapes channels_range_shape(const ShapeCtx& c) {
  require_vectors(c);
  return {PartialShape::scalar(), PartialShape::scalar()};
}

}  // namespace

extern constexpr OpDecl kRequantizePerChannel{
    .name = "RequantizePerChannel",
    .doc =
        "Quantised numbers, with a range for each channel, in fewer bits and one range that is "
        "asked for.",
    .inputs = {"input: T", "input_min: float", "input_max: float", "requested_output_min: float",
               "requested_output_max: float"},
    .outputs = {"output: out_type", "output_min: float", "output_max: float"},
    .attrs = {"T: {qint8, quint8, qint32, qint16, quint16} = qint32",
              "out_type: {qint8, quint8, qint32, qint16, quint16} = quint8"},
    .traits = kPure,
    .shape = requantize_channels_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kRequantizePerChannel));

extern constexpr OpDecl kRequantizationRangePerChannel{
    .name = "RequantizationRangePerChannel",
    .doc =
        "One range for quantised numbers that have one for each channel: what the largest of each "
        "takes up, but not above clip_value_max.",
    .inputs = {"input: T", "input_min: float", "input_max: float"},
    .outputs = {"output_min: float", "output_max: float"},
    .attrs = {"T: {qint8, quint8, qint32, qint16, quint16} = qint32", "clip_value_max: float"},
    .traits = kPure,
    .shape = channels_range_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kRequantizationRangePerChannel));

}  // namespace rill
