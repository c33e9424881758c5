#include "rill/graph/gradient_parts.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

Shapes color_shape(const ShapeCtx& c) {
  const PartialShape images = c.with_rank_at_least(0, 1);
  if (!images.has_rank()) return {images};
  const int last = images.rank() - 1;
  require(compatible(images.dim(last), 3), "input must have 3 channels but input only has ",
          images.dim(last), " channels.");
  return {images.with_dim(last, 3)};
}

// 1 where the comparisons of one channel with the two others both hold, else 0.
Output both(GradCtx& g, const char* compare_a, Output a, const char* compare_b, Output b,
            Output x) {
  const Output holds = g.add("LogicalAnd", {g.add(compare_a, {x, a}), g.add(compare_b, {x, b})});
  return cast(g, holds, x.dtype());
}

std::vector<Output> unstack_channels(GradCtx& g, Output x) {
  Node& parts = g.scope().add("Unpack", {x}, {{"num", std::int64_t{3}}, {"axis", std::int64_t{-1}}},
                              "unstack");
  return {parts.output(0), parts.output(1), parts.output(2)};
}

// Value is the largest channel, saturation the range by the largest, hue the difference of two
// channels by six times the range. Of equal channels red is the largest and blue the smallest; a
// quotient by zero adds nothing, nor does the saturation of a channel that is not positive.
void rgb_to_hsv_grad(GradCtx& g) {
  const auto rgb = unstack_channels(g, g.input(0)), hsv = unstack_channels(g, g.dy(0));
  const Output red = rgb[0], green = rgb[1], blue = rgb[2];
  const DType type = red.dtype();
  const Output largest[] = {both(g, "GreaterEqual", green, "GreaterEqual", blue, red),
                            both(g, "Greater", red, "GreaterEqual", blue, green),
                            both(g, "Greater", red, "Greater", green, blue)};
  const Output smallest[] = {both(g, "Less", green, "Less", blue, red),
                             both(g, "LessEqual", red, "Less", blue, green),
                             both(g, "LessEqual", red, "LessEqual", green, blue)};
  const Output most = g.add("Maximum", {g.add("Maximum", {red, green}), blue}),
               least = g.add("Minimum", {g.add("Minimum", {red, green}), blue});
  const Output one = number(g, 1, type), by_most = div_no_nan(g, one, most),
               by_range = div_no_nan(g, one, sub(g, most, least));
  const Output differences[] = {sub(g, green, blue), sub(g, blue, red), sub(g, red, green)};
  Output difference = mul(g, largest[0], differences[0]);
  for (int i = 1; i < 3; ++i) difference = add(g, difference, mul(g, largest[i], differences[i]));
  const Output slope = mul(g, difference, square(g, by_range)),
               up = mul(g, least, square(g, by_most)), sixth = number(g, 1.0 / 6, type);
  std::vector<Input> result;
  for (int i = 0; i < 3; ++i) {
    const Output channel = rgb[static_cast<std::size_t>(i)];
    const Output turn = sub(g, largest[(i + 2) % 3], largest[(i + 1) % 3]);
    const Output hue = mul(
        g, sixth, sub(g, mul(g, turn, by_range), mul(g, slope, sub(g, largest[i], smallest[i]))));
    const Output positive = cast(g, g.add("Greater", {channel, number(g, 0, type)}), type);
    const Output saturation =
        mul(g, positive, sub(g, mul(g, largest[i], up), mul(g, smallest[i], by_most)));
    result.push_back(add(g, add(g, mul(g, hsv[0], hue), mul(g, hsv[1], saturation)),
                         mul(g, hsv[2], largest[i])));
  }
  g.set(0, g.add("Pack", {result}, {{"axis", std::int64_t{-1}}}, "stack"));
}

}  // namespace

extern constexpr OpDecl kRGBToHSV{
    .name = "RGBToHSV",
    .doc = "Colours as hue, saturation and value, hue and saturation within [0, 1].",
    .inputs = {"images: T"},
    .outputs = {"output: T"},
    .attrs = {"T: {half, bfloat16, float, double} = DT_FLOAT"},
    .traits = kPure,
    .shape = color_shape,
    .grad = rgb_to_hsv_grad,
};
static_assert(well_formed(kRGBToHSV));

extern constexpr OpDecl kHSVToRGB{
    .name = "HSVToRGB",
    .doc = "Colours given as hue, saturation and value as red, green and blue.",
    .inputs = {"images: T"},
    .outputs = {"output: T"},
    .attrs = {"T: {half, bfloat16, float, double} = DT_FLOAT"},
    .traits = kPure,
    .shape = color_shape,
    .grad = not_differentiable,
};
static_assert(well_formed(kHSVToRGB));

}  // namespace rill
