#include "rill/graph/gradient_parts.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

Shapes limited_shape(const ShapeCtx& c) {
  for (int i = 1; i < c.input_count(); ++i) (void)c.scalar(i);
  return {c.input(0)};
}

// As if nothing had been rounded.
void straight_through_grad(GradCtx& g) { g.set(0, g.dy()); }

}  // namespace

extern constexpr OpDecl kQuantizeAndDequantize{
    .name = "QuantizeAndDequantize",
    .doc = "QuantizeAndDequantizeV2 with the range in attributes.",
    .inputs = {"input: T"},
    .outputs = {"output: T"},
    .attrs = {"signed_input: bool = true", "num_bits: int = 8", "range_given: bool = false",
              "input_min: float = 0.0", "input_max: float = 0.0",
              "T: {bfloat16, half, float, double}"},
    .traits = kPure | kInPlace,
    .shape = same_as_input,
    .grad = straight_through_grad,
    .deprecated = 22,
    .deprecated_why = "Replaced by QuantizeAndDequantizeV2",
};
static_assert(well_formed(kQuantizeAndDequantize));

extern constexpr OpDecl kQuantizeAndDequantizeV2{
    .name = "QuantizeAndDequantizeV2",
    .doc =
        "`input` rounded to multiples of a step such that num_bits suffice to count them; the "
        "range "
        "is that of `input` unless it is given.",
    .inputs = {"input: T", "input_min: T", "input_max: T"},
    .outputs = {"output: T"},
    .attrs = {"signed_input: bool = true", "num_bits: int = 8", "range_given: bool = false",
              "T: {bfloat16, half, float, double}",
              "round_mode: {'HALF_TO_EVEN', 'HALF_UP'} = 'HALF_TO_EVEN'",
              "narrow_range: bool = false"},
    .traits = kPure | kInPlace,
    .shape = limited_shape,
    .grad = straight_through_grad,
};
static_assert(well_formed(kQuantizeAndDequantizeV2));

extern constexpr OpDecl kQuantizeAndDequantizeV3{
    .name = "QuantizeAndDequantizeV3",
    .doc = "QuantizeAndDequantizeV2 with the number of bits as an input.",
    .inputs = {"input: T", "input_min: T", "input_max: T", "num_bits: int32"},
    .outputs = {"output: T"},
    .attrs = {"signed_input: bool = true", "range_given: bool = true",
              "T: {bfloat16, half, float, double}", "narrow_range: bool = false"},
    .traits = kPure | kInPlace,
    .shape = limited_shape,
    .grad = straight_through_grad,
};
static_assert(well_formed(kQuantizeAndDequantizeV3));

}  // namespace rill
