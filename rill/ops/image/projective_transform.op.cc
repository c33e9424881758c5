#include "rill/graph/gradient_parts.h"
#include "rill/graph/op_decl.h"
#include "rill/ops/image/image_shape.h"

namespace rill {
namespace {

Shapes projective_shape(const ShapeCtx& c) {
  const PartialShape images = c.with_rank(0, 4), transforms = c.with_rank(1, 2);
  const bool fits = compatible(transforms.dim(1), 8) &&
                    (transforms.dim(0) == 1 || compatible(transforms.dim(0), images.dim(0)));
  require(fits, "Input transform should be num_images x 8 or 1 x 8, not ", transforms);
  const std::string& interpolation = c.attr<std::string>("interpolation");
  require(interpolation == "NEAREST" || interpolation == "BILINEAR", "Invalid interpolation ",
          interpolation, ". Supported types: NEAREST, BILINEAR");
  require_pair(c, 2, "output_shape");
  std::vector<std::int64_t> size;
  if (!c.int_values(2, &size)) return {{images.dim(0), kUnknownDim, kUnknownDim, images.dim(3)}};
  require(size[0] > 0 && size[1] > 0, "output_shape must be positive, not ", size[0], " and ",
          size[1]);
  return {{images.dim(0), size[0], size[1], images.dim(3)}};
}

// The eight numbers of a transform are a matrix whose last one is 1.
Output as_matrices(GradCtx& g, Output transforms) {
  const Output count = strided_slice(g.scope(), shape_of(g, transforms), 0, 1);
  const Output one = g.add(
      "Fill",
      {g.add("ConcatV2", {std::vector<Input>{count, Tensor::vector<std::int32_t>({1})}, 0}), 1.0F});
  const Output all = g.add("ConcatV2", {std::vector<Input>{transforms, one}, 1}, {}, "concat");
  return reshape(g, all, Tensor::vector<std::int32_t>({-1, 3, 3}));
}

Output as_transforms(GradCtx& g, Output matrices) {
  const Output flat = reshape(g, matrices, Tensor::vector<std::int32_t>({-1, 9}));
  const Output last = g.add(
      "Slice", {flat, Tensor::vector<std::int32_t>({0, 8}), Tensor::vector<std::int32_t>({-1, 1})});
  return g.add("Slice", {truediv(g, flat, last), Tensor::vector<std::int32_t>({0, 0}),
                         Tensor::vector<std::int32_t>({-1, 8})});
}

// The gradient is seen through the inverse transforms.
void projective_grad(GradCtx& g) {
  const Output inverse = g.add("MatrixInverse", {as_matrices(g, g.input(1))});
  const Output size = strided_slice(g.scope(), shape_of(g, g.input(0)), 1, 3);
  g.set(0, g.add("ImageProjectiveTransformV2", {g.dy(0), as_transforms(g, inverse), size},
                 {{"interpolation", g.attr<std::string>("interpolation")}}));
}

}  // namespace

extern constexpr OpDecl kImageProjectiveTransformV2{
    .name = "ImageProjectiveTransformV2",
    .doc =
        "Images as a projective transform of their points shows them: pixel (x, y) of the result "
        "is that at ((a0 x + a1 y + a2) / k, (b0 x + b1 y + b2) / k) where k = c0 x + c1 y + 1; "
        "what lies outside is 0.",
    .inputs = {"images: dtype", "transforms: float", "output_shape: int32"},
    .outputs = {"transformed_images: dtype"},
    .attrs = {"dtype: {uint8, int32, int64, half, float, double}", "interpolation: string"},
    .traits = kPure,
    .shape = projective_shape,
    .grad = projective_grad,
};
static_assert(well_formed(kImageProjectiveTransformV2));

}  // namespace rill
