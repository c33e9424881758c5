#include "rill/graph/gradient_parts.h"
#include "rill/graph/op_decl.h"
#include "rill/ops/array/values/shape_values.h"
#include "rill/ops/image/image_shape.h"

namespace rill {
namespace {

// The number of boxes, from inputs i (their corners) and i + 1 (their images).
std::int64_t box_count(const ShapeCtx& c, int i) {
  const PartialShape boxes = c.with_rank(i, 2), indices = c.vector(i + 1);
  require(compatible(boxes.dim(1), 4), when_run("boxes must have 4 columns, not ", boxes.dim(1)),
          when_built("Dimension must be 4 but is ", boxes.dim(1)));
  require(compatible(boxes.dim(0), indices.dim(0)),
          when_run("box_index has incompatible shape ", indices, " for boxes of shape ", boxes),
          when_built("Dimensions must be equal, but are ", boxes.dim(0), " and ", indices.dim(0)));
  return merge_dim(boxes.dim(0), indices.dim(0));
}

void require_pixels(const PartialShape& images, const char* what) {
  require(images.dim(1) != 0 && images.dim(2) != 0, what, " dimensions must be positive, not ",
          images);
}

Shapes crop_shape(const ShapeCtx& c) {
  const PartialShape images = c.with_rank(0, 4);
  require_pixels(images, "image");
  const std::int64_t count = box_count(c, 1);
  require_pair(c, 3, "crop_size");
  std::vector<std::int64_t> size;
  if (!c.int_values(3, &size)) return {{count, kUnknownDim, kUnknownDim, images.dim(3)}};
  require(size[0] > 0 && size[1] > 0, "crop dimensions must be positive, not ", size[0], " and ",
          size[1]);
  return {{count, size[0], size[1], images.dim(3)}};
}

PartialShape check_grads(const ShapeCtx& c, std::int64_t count) {
  const PartialShape grads = c.with_rank(0, 4);
  require_pixels(grads, "grads");
  require(compatible(grads.dim(0), count), "boxes and grads have incompatible shape: ", count,
          " and ", grads);
  return grads;
}

Shapes grad_image_shape(const ShapeCtx& c) {
  const PartialShape grads = check_grads(c, box_count(c, 1));
  const PartialShape size = c.vector(3);
  require(compatible(size.dim(0), 4), "image_size must have 4 elements, not ", size);
  std::vector<std::int64_t> dims;
  if (!c.int_values(3, &dims)) return {PartialShape::of_rank(4)};
  for (const std::int64_t dim : dims)
    require(dim >= 0, "image dimensions must be positive, not ", dim);
  const PartialShape images{dims[0], dims[1], dims[2], dims[3]};
  require_pixels(images, "image");
  require(compatible(grads.dim(3), images.dim(3)),
          "image_size and grads are incompatible: ", images, " and ", grads);
  return {images};
}

Shapes grad_boxes_shape(const ShapeCtx& c) {
  const std::int64_t count = box_count(c, 2);
  const PartialShape grads = check_grads(c, count), images = c.with_rank(1, 4);
  require_pixels(images, "image");
  require(compatible(grads.dim(3), images.dim(3)), "image, grads depth differ: ", images, " and ",
          grads);
  return {{count, 4}};
}

void crop_grad(GradCtx& g) {
  const DType type = g.input(0).dtype();
  const PartialShape images = g.input(0).shape();
  const TypeSet differentiable = DType::f16 | DType::f32 | DType::f64;
  if (differentiable.contains(type)) {
    Input size = images.is_full() ? Input(Tensor()) : Input(shape_of(g, g.input(0)));
    if (images.is_full()) {
      Tensor dims(DType::i32, {4});
      for (int d = 0; d < 4; ++d)
        dims.data<std::int32_t>()[d] = static_cast<std::int32_t>(images.dim(d));
      size = Input(dims);
    }
    g.set(0, g.add("CropAndResizeGradImage", {g.dy(0), g.input(1), g.input(2), size},
                   {{"T", type}, {"method", g.attr<std::string>("method")}}));
  }
  g.set(1, g.add("CropAndResizeGradBoxes", {g.dy(0), g.input(0), g.input(1), g.input(2)}));
}

}  // namespace

extern constexpr OpDecl kCropAndResize{
    .name = "CropAndResize",
    .doc =
        "Boxes of images, each box [y1, x1, y2, x2] of the image that `box_ind` names, all in one "
        "size. 0 and 1 are the centres of the outer pixels; what lies outside is "
        "`extrapolation_value`.",
    .inputs = {"image: T", "boxes: float", "box_ind: int32", "crop_size: int32"},
    .outputs = {"crops: float"},
    .attrs = {"T: {uint8, uint16, int8, int16, int32, int64, half, float, double}",
              "method: {'bilinear', 'nearest'} = 'bilinear'", "extrapolation_value: float = 0"},
    .traits = kPure,
    .shape = crop_shape,
    .grad = crop_grad,
};
static_assert(well_formed(kCropAndResize));

extern constexpr OpDecl kCropAndResizeGradImage{
    .name = "CropAndResizeGradImage",
    .doc = "The gradient of CropAndResize for its images.",
    .inputs = {"grads: float", "boxes: float", "box_ind: int32", "image_size: int32"},
    .outputs = {"output: T"},
    .attrs = {"T: {float, half, double}", "method: {'bilinear', 'nearest'} = 'bilinear'"},
    .traits = kPure,
    .shape = grad_image_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kCropAndResizeGradImage));

extern constexpr OpDecl kCropAndResizeGradBoxes{
    .name = "CropAndResizeGradBoxes",
    .doc = "The gradient of CropAndResize for its boxes.",
    .inputs = {"grads: float", "image: T", "boxes: float", "box_ind: int32"},
    .outputs = {"output: float"},
    .attrs = {"T: {uint8, uint16, int8, int16, int32, int64, half, float, double}",
              "method: {'bilinear'} = 'bilinear'"},
    .traits = kPure,
    .shape = grad_boxes_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kCropAndResizeGradBoxes));

}  // namespace rill
