#include <limits>

#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

void require_range(const ShapeCtx& c, const char* attr, const char* what) {
  const auto& range = c.attr<std::vector<float>>(attr);
  require(range.size() == 2, what, " range field must specify 2 dimensions, not ", range.size());
  require(range[0] > 0 && range[1] > 0, what, " range must be non-negative: [", range[0], ", ",
          range[1], "]");
}

Shapes sample_shape(const ShapeCtx& c) {
  const PartialShape size = c.vector(0), boxes = c.with_rank(1, 3);
  require(compatible(size.dim(0), 3), "image_size must contain 3 elements, not ", size);
  require(compatible(boxes.dim(2), 4), "bounding boxes must have shape [4] or [*, 4], got ", boxes);
  if (c.input_count() == 3) c.scalar(2);
  require_range(c, "aspect_ratio_range", "Aspect ratio");
  require_range(c, "area_range", "Area");
  const auto& area = c.attr<std::vector<float>>("area_range");
  require(area[0] <= 1 && area[1] <= 1, "Area range must be less then or equal to 1.0: [", area[0],
          ", ", area[1], "]");
  const auto attempts = c.attr<std::int64_t>("max_attempts");
  require(attempts > 0, "Max attempts must be non-negative: ", attempts);
  require(attempts <= std::numeric_limits<std::int32_t>::max(), "max_attempts ", attempts,
          " is out of range for an int32");
  return {{3}, {3}, {1, 1, 4}};
}

}  // namespace

extern constexpr OpDecl kSampleDistortedBoundingBox{
    .name = "SampleDistortedBoundingBox",
    .doc =
        "A random part of an image that covers enough of one of the boxes, with an area and an "
        "aspect ratio within bounds; all of the image where none was found.",
    .inputs = {"image_size: T", "bounding_boxes: float"},
    .outputs = {"begin: T", "size: T", "bboxes: float"},
    .attrs = {"T: {uint8, int8, int16, int32, int64}", "seed: int = 0", "seed2: int = 0",
              "min_object_covered: float = 0.1", "aspect_ratio_range: list(float) = [0.75, 1.33]",
              "area_range: list(float) = [0.05, 1]", "max_attempts: int = 100",
              "use_image_if_no_bounding_boxes: bool = false"},
    .traits = kStateful,
    .shape = sample_shape,
    .grad = not_differentiable,
};
static_assert(well_formed(kSampleDistortedBoundingBox));

extern constexpr OpDecl kSampleDistortedBoundingBoxV2{
    .name = "SampleDistortedBoundingBoxV2",
    .doc = "SampleDistortedBoundingBox with the part to be covered as an input.",
    .inputs = {"image_size: T", "bounding_boxes: float", "min_object_covered: float"},
    .outputs = {"begin: T", "size: T", "bboxes: float"},
    .attrs = {"T: {uint8, int8, int16, int32, int64}", "seed: int = 0", "seed2: int = 0",
              "aspect_ratio_range: list(float) = [0.75, 1.33]",
              "area_range: list(float) = [0.05, 1]", "max_attempts: int = 100",
              "use_image_if_no_bounding_boxes: bool = false"},
    .traits = kStateful,
    .shape = sample_shape,
    .grad = not_differentiable,
};
static_assert(well_formed(kSampleDistortedBoundingBoxV2));

}  // namespace rill
