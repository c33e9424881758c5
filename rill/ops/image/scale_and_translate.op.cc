#include "rill/graph/gradient_parts.h"
#include "rill/graph/op_decl.h"
#include "rill/ops/image/image_shape.h"

namespace rill {
namespace {

Shapes scale_shape(const ShapeCtx& c) {
  const PartialShape images = resizable(c, 0);
  const auto [height, width] = size_input(c, 1);
  require_pair(c, 2, "t");
  require_pair(c, 3, "t");
  return resized(height, width, {{images.dim(0), height, width, images.dim(3)}});
}

Shapes scale_grad_shape(const ShapeCtx& c) {
  const PartialShape grads = resizable(c, 0), images = resizable(c, 1);
  require_pair(c, 2, "t");
  require_pair(c, 3, "t");
  require(compatible(grads.dim(0), images.dim(0)) && compatible(grads.dim(3), images.dim(3)),
          "grads have shape ", grads, ", the images have shape ", images);
  return {images};
}

void scale_grad(GradCtx& g) {
  if (g.input(0).dtype() != DType::f32) return;
  g.set(0, g.add("ScaleAndTranslateGrad", {g.dy(0), g.input(0), g.input(2), g.input(3)},
                 {{"kernel_type", g.attr<std::string>("kernel_type")},
                  {"antialias", g.attr<bool>("antialias")}}));
}

}  // namespace

extern constexpr OpDecl kScaleAndTranslate{
    .name = "ScaleAndTranslate",
    .doc =
        "`images` scaled, then moved, into images of another size; `kernel_type` names the filter "
        "through which pixels are seen.",
    .inputs = {"images: T", "size: int32", "scale: float", "translation: float"},
    .outputs = {"resized_images: float"},
    .attrs = {"T: {int8, uint8, int16, uint16, int32, int64, bfloat16, half, float, double}",
              "kernel_type: string = 'lanczos3'", "antialias: bool = true"},
    .traits = kPure,
    .shape = scale_shape,
    .grad = scale_grad,
};
static_assert(well_formed(kScaleAndTranslate));

extern constexpr OpDecl kScaleAndTranslateGrad{
    .name = "ScaleAndTranslateGrad",
    .doc = "The gradient of ScaleAndTranslate.",
    .inputs = {"grads: T", "original_image: T", "scale: float", "translation: float"},
    .outputs = {"output: T"},
    .attrs = {"T: {float}", "kernel_type: string = 'lanczos3'", "antialias: bool = true"},
    .traits = kPure,
    .shape = scale_grad_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kScaleAndTranslateGrad));

}  // namespace rill
