#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

// Images and `scalars` numbers.
Shapes adjusted(const ShapeCtx& c) {
  const PartialShape images = c.with_rank_at_least(0, 3);
  for (int i = 1; i < c.input_count(); ++i) c.scalar(i);
  return {images};
}

Shapes adjusted_color(const ShapeCtx& c) {
  Shapes shapes = adjusted(c);
  const PartialShape& images = shapes[0];
  if (!images.has_rank()) return shapes;
  const std::int64_t channels = images.dim(images.rank() - 1);
  require(compatible(channels, 3), "input must have 3 channels but instead has ", channels,
          " channels.");
  return shapes;
}

}  // namespace

extern constexpr OpDecl kAdjustContrast{
    .name = "AdjustContrast",
    .doc = "AdjustContrastv2 with bounds for the results.",
    .inputs = {"images: T", "contrast_factor: float", "min_value: float", "max_value: float"},
    .outputs = {"output: float"},
    .attrs = {"T: {uint8, int8, int16, int32, int64, float, double}"},
    .traits = kPure,
    .shape = adjusted,
    .grad = no_gradient,
    .deprecated = 2,
    .deprecated_why = "Use AdjustContrastv2 instead",
};
static_assert(well_formed(kAdjustContrast));

extern constexpr OpDecl kAdjustContrastv2{
    .name = "AdjustContrastv2",
    .doc = "Moves every pixel away from the mean of its channel in its image by a factor.",
    .inputs = {"images: T", "contrast_factor: float"},
    .outputs = {"output: T"},
    .attrs = {"T: {half, float} = DT_FLOAT"},
    .traits = kPure,
    .shape = adjusted,
    .grad = no_gradient,
};
static_assert(well_formed(kAdjustContrastv2));

extern constexpr OpDecl kAdjustHue{
    .name = "AdjustHue",
    .doc = "Turns the hue of every pixel by `delta` of a full turn.",
    .inputs = {"images: T", "delta: float"},
    .outputs = {"output: T"},
    .attrs = {"T: {half, float} = DT_FLOAT"},
    .traits = kPure,
    .shape = adjusted_color,
    .grad = no_gradient,
};
static_assert(well_formed(kAdjustHue));

extern constexpr OpDecl kAdjustSaturation{
    .name = "AdjustSaturation",
    .doc = "Multiplies the saturation of every pixel by `scale`, kept within [0, 1].",
    .inputs = {"images: T", "scale: float"},
    .outputs = {"output: T"},
    .attrs = {"T: {half, float} = DT_FLOAT"},
    .traits = kPure,
    .shape = adjusted_color,
    .grad = no_gradient,
};
static_assert(well_formed(kAdjustSaturation));

}  // namespace rill
