#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

Shapes quantize_shape(const ShapeCtx& c) {
  (void)c.scalar(1);
  (void)c.scalar(2);
  return {c.input(0), PartialShape::scalar(), PartialShape::scalar()};
}

Shapes dequantize_shape(const ShapeCtx& c) {
  (void)c.scalar(1);
  (void)c.scalar(2);
  return {c.input(0)};
}

}  // namespace

extern constexpr OpDecl kQuantizeV2{
    .name = "QuantizeV2",
    .doc =
        "`input`, clamped to a range that includes [min_range, max_range] and zero, as whole "
        "numbers of type T. MIN_COMBINED spreads the range over all of them, MIN_FIRST also makes "
        "zero one of them, SCALED makes zero the number 0.",
    .inputs = {"input: float", "min_range: float", "max_range: float"},
    .outputs = {"output: T", "output_min: float", "output_max: float"},
    .attrs = {"T: {qint8, quint8, qint32, qint16, quint16}",
              "mode: {'MIN_COMBINED', 'MIN_FIRST', 'SCALED'} = 'MIN_COMBINED'",
              "round_mode: {'HALF_AWAY_FROM_ZERO', 'HALF_TO_EVEN'} = 'HALF_AWAY_FROM_ZERO'"},
    .traits = kPure,
    .shape = quantize_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kQuantizeV2));

extern constexpr OpDecl kDequantize{
    .name = "Dequantize",
    .doc = "The numbers that QuantizeV2, in the same mode, would have made `input` from.",
    .inputs = {"input: T", "min_range: float", "max_range: float"},
    .outputs = {"output: float"},
    .attrs = {"T: {qint8, quint8, qint32, qint16, quint16}",
              "mode: {'MIN_COMBINED', 'MIN_FIRST', 'SCALED'} = 'MIN_COMBINED'"},
    .traits = kPure,
    .shape = dequantize_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kDequantize));

}  // namespace rill
