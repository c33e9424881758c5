#include "rill/graph/gradient_parts.h"
#include "rill/graph/op_decl.h"
#include "rill/ops/image/image_shape.h"

namespace rill {
namespace {

Shapes resize_shape(const ShapeCtx& c) {
  const PartialShape images = resizable(c, 0);
  const auto [height, width] = size_input(c, 1);
  return resized(height, width, {{images.dim(0), height, width, images.dim(3)}});
}

// The gradient belongs to results of the same images.
Shapes resize_grad_shape(const ShapeCtx& c) {
  const PartialShape grads = c.with_rank(0, 4), images = c.with_rank(1, 4);
  for (const int d : {1, 2}) {
    require(images.dim(d) != 0, "original dimensions must be positive, not ", images);
    require(grads.dim(d) != 0, "resized dimensions must be positive, not ", grads);
  }
  require(compatible(grads.dim(0), images.dim(0)) && compatible(grads.dim(3), images.dim(3)),
          "grads have shape ", grads, ", the images have shape ", images);
  return {images.with_dim(0, merge_dim(images.dim(0), grads.dim(0)))
              .with_dim(3, merge_dim(images.dim(3), grads.dim(3)))};
}

Shapes nearest_grad_shape(const ShapeCtx& c) {
  const PartialShape grads = c.with_rank(0, 4);
  require_pair(c, 1, "shape_t");
  std::vector<std::int64_t> size;
  if (!c.int_values(1, &size))
    size = {kUnknownDim, kUnknownDim};
  else
    require(size[0] > 0 && size[1] > 0, "shape_t's elements must be positive, not ", size[0],
            " and ", size[1]);
  return {{grads.dim(0), size[0], size[1], grads.dim(3)}};
}

AttrMap sampling_attrs(const GradCtx& g) {
  return {{"align_corners", g.attr<bool>("align_corners")},
          {"half_pixel_centers", g.attr<bool>("half_pixel_centers")}};
}

void bilinear_grad(GradCtx& g) {
  const TypeSet types = kFloatTypes;
  if (!types.contains(g.input(0).dtype())) return;
  g.set(0, g.add("ResizeBilinearGrad", {g.dy(0), g.input(0)}, sampling_attrs(g)));
}

void bicubic_grad(GradCtx& g) {
  const TypeSet types = DType::f32 | DType::f64;
  if (!types.contains(g.input(0).dtype())) return;
  g.set(0, g.add("ResizeBicubicGrad", {g.dy(0), g.input(0)}, sampling_attrs(g)));
}

void nearest_grad(GradCtx& g) {
  const PartialShape images = g.input(0).shape();
  const bool known = images.has_rank() && images.dim(1) >= 0 && images.dim(2) >= 0;
  const Input size =
      known ? Input(Tensor::vector<std::int32_t>({static_cast<std::int32_t>(images.dim(1)),
                                                  static_cast<std::int32_t>(images.dim(2))}))
            : Input(slice_vector(g, shape_of(g, g.input(0)), 1, 3));
  g.set(0, g.add("ResizeNearestNeighborGrad", {g.dy(0), size}, sampling_attrs(g)));
}

}  // namespace

extern constexpr OpDecl kResizeBilinear{
    .name = "ResizeBilinear",
    .doc = "`images` in another size, each pixel a mixture of the four around its place.",
    .inputs = {"images: T", "size: int32"},
    .outputs = {"resized_images: float"},
    .attrs = {"T: {int8, uint8, int16, uint16, int32, int64, bfloat16, half, float, double}",
              "align_corners: bool = false", "half_pixel_centers: bool = false"},
    .traits = kPure,
    .shape = resize_shape,
    .grad = bilinear_grad,
};
static_assert(well_formed(kResizeBilinear));

extern constexpr OpDecl kResizeBilinearGrad{
    .name = "ResizeBilinearGrad",
    .doc = "The gradient of ResizeBilinear.",
    .inputs = {"grads: float", "original_image: T"},
    .outputs = {"output: T"},
    .attrs = {"T: {float, bfloat16, half, double}", "align_corners: bool = false",
              "half_pixel_centers: bool = false"},
    .traits = kPure,
    .shape = resize_grad_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kResizeBilinearGrad));

extern constexpr OpDecl kResizeBicubic{
    .name = "ResizeBicubic",
    .doc = "`images` in another size, by cubic interpolation of sixteen pixels.",
    .inputs = {"images: T", "size: int32"},
    .outputs = {"resized_images: float"},
    .attrs = {"T: {int8, uint8, int16, uint16, int32, int64, half, float, double}",
              "align_corners: bool = false", "half_pixel_centers: bool = false"},
    .traits = kPure,
    .shape = resize_shape,
    .grad = bicubic_grad,
};
static_assert(well_formed(kResizeBicubic));

extern constexpr OpDecl kResizeBicubicGrad{
    .name = "ResizeBicubicGrad",
    .doc = "The gradient of ResizeBicubic.",
    .inputs = {"grads: float", "original_image: T"},
    .outputs = {"output: T"},
    .attrs = {"T: {float, double}", "align_corners: bool = false",
              "half_pixel_centers: bool = false"},
    .traits = kPure,
    .shape = resize_grad_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kResizeBicubicGrad));

extern constexpr OpDecl kResizeArea{
    .name = "ResizeArea",
    .doc = "`images` in another size, each pixel the mean of the area that it covers.",
    .inputs = {"images: T", "size: int32"},
    .outputs = {"resized_images: float"},
    .attrs = {"T: {int8, uint8, int16, uint16, int32, int64, half, float, double}",
              "align_corners: bool = false"},
    .traits = kPure,
    .shape = resize_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kResizeArea));

extern constexpr OpDecl kResizeNearestNeighbor{
    .name = "ResizeNearestNeighbor",
    .doc = "`images` in another size, each pixel a copy of the one nearest to its place.",
    .inputs = {"images: T", "size: int32"},
    .outputs = {"resized_images: T"},
    .attrs = {"T: {int8, uint8, int16, uint16, int32, int64, half, float, double}",
              "align_corners: bool = false", "half_pixel_centers: bool = false"},
    .traits = kPure,
    .shape = resize_shape,
    .grad = nearest_grad,
};
static_assert(well_formed(kResizeNearestNeighbor));

extern constexpr OpDecl kResizeNearestNeighborGrad{
    .name = "ResizeNearestNeighborGrad",
    .doc = "The gradient of ResizeNearestNeighbor for images of the given size.",
    .inputs = {"grads: T", "size: int32"},
    .outputs = {"output: T"},
    .attrs = {"T: {uint8, int8, int32, half, float, double}", "align_corners: bool = false",
              "half_pixel_centers: bool = false"},
    .traits = kPure,
    .shape = nearest_grad_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kResizeNearestNeighborGrad));

}  // namespace rill
