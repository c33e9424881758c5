#include "rill/graph/gradient_parts.h"
#include "rill/graph/op_decl.h"
#include "rill/ops/nn/window/dilation_shape.h"

namespace rill {
namespace {

Shapes dilation_shape(const ShapeCtx& c) {
  return {DilationWindows(c.op(), c.attrs(), c.input(0), c.input(1)).results()};
}

// The gradient of input i.
template <int i>
Shapes dilation_back_shape(const ShapeCtx& c) {
  const PartialShape results = dilation_shape(c)[0];
  require(results.is_compatible(c.input(2)), "out_backprop has incompatible size: its shape is ",
          c.input(2), ", that of the results ", results);
  return {c.input(i)};
}

void dilation_gradient(GradCtx& g) {
  AttrMap attrs;
  for (const char* name : {"strides", "rates", "padding"})
    attrs.emplace(name, g.node().attrs().at(name));
  g.set(0, g.add("Dilation2DBackpropInput", {g.input(0), g.input(1), g.dy()}, attrs));
  g.set(1, g.add("Dilation2DBackpropFilter", {g.input(0), g.input(1), g.dy()}, attrs));
}

}  // namespace

extern constexpr OpDecl kDilation2D{
    .name = "Dilation2D",
    .doc = "The largest sum of a window and the filter, for each channel: grayscale dilation.",
    .inputs = {"input: T", "filter: T"},
    .outputs = {"output: T"},
    .attrs = {"T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, "
              "uint32, uint64}",
              "strides: list(int) >= 4", "rates: list(int) >= 4", "padding: {'SAME', 'VALID'}"},
    .traits = kPure,
    .shape = dilation_shape,
    .grad = dilation_gradient,
};
static_assert(well_formed(kDilation2D));

extern constexpr OpDecl kDilation2DBackpropInput{
    .name = "Dilation2DBackpropInput",
    .doc = "The gradient of Dilation2D by its images: it goes to where the first largest sum was.",
    .inputs = {"input: T", "filter: T", "out_backprop: T"},
    .outputs = {"in_backprop: T"},
    .attrs = {"T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, "
              "uint32, uint64}",
              "strides: list(int) >= 4", "rates: list(int) >= 4", "padding: {'SAME', 'VALID'}"},
    .traits = kPure,
    .shape = dilation_back_shape<0>,
    .grad = no_gradient,
};
static_assert(well_formed(kDilation2DBackpropInput));

extern constexpr OpDecl kDilation2DBackpropFilter{
    .name = "Dilation2DBackpropFilter",
    .doc = "The gradient of Dilation2D by its filter.",
    .inputs = {"input: T", "filter: T", "out_backprop: T"},
    .outputs = {"filter_backprop: T"},
    .attrs = {"T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, "
              "uint32, uint64}",
              "strides: list(int) >= 4", "rates: list(int) >= 4", "padding: {'SAME', 'VALID'}"},
    .traits = kPure,
    .shape = dilation_back_shape<1>,
    .grad = no_gradient,
};
static_assert(well_formed(kDilation2DBackpropFilter));

}  // namespace rill
