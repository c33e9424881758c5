#include "rill/graph/op_decl.h"
#include "rill/ops/eight_bit/ranged_shape.h"

namespace rill {
namespace {

Shapes requantize_shape(const ShapeCtx& c) { return with_scalar_range(c, c.input(0), 1); }

Shapes requantization_range_shape(const ShapeCtx& c) {
  (void)c.scalar(1);
  (void)c.scalar(2);
  return {PartialShape::scalar(), PartialShape::scalar()};
}

}  // namespace

extern constexpr OpDecl kQuantizeDownAndShrinkRange{
    .name = "QuantizeDownAndShrinkRange",
    .doc = "Quantised numbers in fewer bits, in the range that they take up.",
    .inputs = {"input: Tinput", "input_min: float", "input_max: float"},
    .outputs = {"output: out_type", "output_min: float", "output_max: float"},
    .attrs = {"Tinput: {qint8, quint8, qint32, qint16, quint16}",
              "out_type: {qint8, quint8, qint32, qint16, quint16}"},
    .traits = kPure,
    .shape = requantize_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kQuantizeDownAndShrinkRange));

extern constexpr OpDecl kRequantize{
    .name = "Requantize",
    .doc = "Quantised numbers in fewer bits, in the range that is asked for.",
    .inputs = {"input: Tinput", "input_min: float", "input_max: float",
               "requested_output_min: float", "requested_output_max: float"},
    .outputs = {"output: out_type", "output_min: float", "output_max: float"},
    .attrs = {"Tinput: {qint8, quint8, qint32, qint16, quint16}",
              "out_type: {qint8, quint8, qint32, qint16, quint16}"},
    .traits = kPure,
    .shape = requantize_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kRequantize));

extern constexpr OpDecl kRequantizationRange{
    .name = "RequantizationRange",
    .doc = "The range that quantised numbers take up, made to include zero from below.",
    .inputs = {"input: Tinput", "input_min: float", "input_max: float"},
    .outputs = {"output_min: float", "output_max: float"},
    .attrs = {"Tinput: {qint8, quint8, qint32, qint16, quint16}"},
    .traits = kPure,
    .shape = requantization_range_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kRequantizationRange));

}  // namespace rill
