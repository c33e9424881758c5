#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

Shapes draw_shape(const ShapeCtx& c) {
  const PartialShape images = c.with_rank(0, 4), boxes = c.with_rank(1, 3);
  const std::int64_t depth = images.dim(3);
  require(depth < 0 || depth == 1 || depth == 3 || depth == 4,
          "Channel depth should be either 1 (GRY), 3 (RGB), or 4 (RGBA), not ", depth);
  require(compatible(images.dim(0), boxes.dim(0)), "The batch sizes should be the same: images ",
          images, ", boxes ", boxes);
  require(compatible(boxes.dim(2), 4),
          "The size of the third dimension of the box must be 4. Received: ", boxes.dim(2));
  if (c.input_count() == 3) {
    const PartialShape colors = c.with_rank(2, 2);
    require(depth < 0 || colors.dim(0) <= 0 || colors.dim(1) < 0 || colors.dim(1) >= depth,
            "colors must have equal or more channels than the image provided: ", colors);
  }
  return {images};
}

}  // namespace

extern constexpr OpDecl kDrawBoundingBoxes{
    .name = "DrawBoundingBoxes",
    .doc = "`images` with the outlines of boxes, in ten colours one after the other.",
    .inputs = {"images: T", "boxes: float"},
    .outputs = {"output: T"},
    .attrs = {"T: {float, half} = DT_FLOAT"},
    .traits = kPure,
    .shape = draw_shape,
    .grad = not_differentiable,
};
static_assert(well_formed(kDrawBoundingBoxes));

extern constexpr OpDecl kDrawBoundingBoxesV2{
    .name = "DrawBoundingBoxesV2",
    .doc = "DrawBoundingBoxes in the given colours, one row each; without any, in its own.",
    .inputs = {"images: T", "boxes: float", "colors: float"},
    .outputs = {"output: T"},
    .attrs = {"T: {float, half} = DT_FLOAT"},
    .traits = kPure,
    .shape = draw_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kDrawBoundingBoxesV2));

}  // namespace rill
