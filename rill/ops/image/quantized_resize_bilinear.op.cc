#include "rill/graph/op_decl.h"
#include "rill/ops/image/image_shape.h"

namespace rill {
namespace {

Shapes quantized_resize_shape(const ShapeCtx& c) {
  const PartialShape images = resizable(c, 0);
  const auto [height, width] = size_input(c, 1);
  c.scalar(2);
  c.scalar(3);
  const PartialShape scalar = PartialShape::scalar();
  return resized(height, width, {{images.dim(0), height, width, images.dim(3)}, scalar, scalar});
}

}  // namespace

extern constexpr OpDecl kQuantizedResizeBilinear{
    .name = "QuantizedResizeBilinear",
    .doc = "ResizeBilinear of quantised images, which stay quantised over the same range.",
    .inputs = {"images: T", "size: int32", "min: float", "max: float"},
    .outputs = {"resized_images: T", "out_min: float", "out_max: float"},
    .attrs = {"T: {quint8, qint32, float}", "align_corners: bool = false",
              "half_pixel_centers: bool = false"},
    .traits = kPure,
    .shape = quantized_resize_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kQuantizedResizeBilinear));

}  // namespace rill
