#include <limits>

#include "rill/ops/image/image_testing.h"

namespace rill {
namespace {

constexpr double kCropTolerance = 1e-4;
constexpr DType kCropTypes[] = {DType::u8,  DType::u16, DType::i8,  DType::i16, DType::i32,
                                DType::i64, DType::f16, DType::f32, DType::f64};

// The whole image, a part, a flipped one, a part that reaches over the edge, one point.
Tensor crop_boxes() {
  return tensor<float>({5, 4}, {0,    0,    1,     1,    0.13F, 0.21F, 0.67F, 0.83F, 0.9F, 0.1F,
                                0.2F, 0.7F, -0.3F, 0.4F, 1.2F,  1.4F,  0.5F,  0.5F,  0.5F, 0.5F});
}
Tensor crop_indices() { return tensor<std::int32_t>({5}, {0, 1, 1, 0, 1}); }
AttrMap crop_attrs(const char* method, float outside = 0) {
  return {{"method", std::string(method)}, {"extrapolation_value", outside}};
}

void add_crops(std::vector<OpCase>& cases) {
  for (const char* method : {"bilinear", "nearest"}) {
    for (const DType type : kCropTypes)
      cases.push_back({.op = "CropAndResize",
                       .in = {random(type, {2, 6, 7, 3}, 1, 0, 100), crop_boxes(), crop_indices(),
                              size_of(4, 5)},
                       .attrs = crop_attrs(method, -7),
                       .atol = kCropTolerance,
                       .grad = false});  // differences see the edges of the image
    for (const auto& [height, width] : {std::pair{1, 1}, {1, 4}, {9, 2}})
      cases.push_back({.op = "CropAndResize",
                       .in = {random<float>({2, 6, 7, 2}, 1), crop_boxes(), crop_indices(),
                              size_of(height, width)},
                       .attrs = crop_attrs(method),
                       .atol = kCropTolerance,
                       .grad = false});
  }
  // Away from pixels and edges, where differences tell the gradient.
  const Tensor inside =
      tensor<float>({2, 4}, {0.13F, 0.21F, 0.69F, 0.85F, 0.33F, 0.2F, 0.9F, 0.6F});
  cases.push_back({.op = "CropAndResize",
                   .in = {random<float>({2, 6, 7, 2}, 1), inside, tensor<std::int32_t>({2}, {1, 0}),
                          size_of(3, 2)},
                   .atol = kCropTolerance});
  cases.push_back({.op = "CropAndResize",
                   .in = {random<float>({2, 6, 7, 2}, 1), random<float>({0, 4}, 1),
                          tensor<std::int32_t>({0}, {}), size_of(4, 5)}});
}

void add_crop_gradients(std::vector<OpCase>& cases) {
  const Tensor grads = random<float>({5, 4, 5, 3}, 3),
               image_size = tensor<std::int32_t>({4}, {2, 6, 7, 3});
  for (const char* method : {"bilinear", "nearest"})
    for (const DType type : {DType::f32, DType::f16, DType::f64})
      cases.push_back({.op = "CropAndResizeGradImage",
                       .in = {grads, crop_boxes(), crop_indices(), image_size},
                       .attrs = {{"T", type}, {"method", std::string(method)}},
                       .rtol = type == DType::f64 ? 1e-5 : -1,
                       .atol = type == DType::f16 ? 5e-3 : kCropTolerance});
  for (const DType type : kCropTypes)
    cases.push_back(
        {.op = "CropAndResizeGradBoxes",
         .in = {grads, random(type, {2, 6, 7, 3}, 1, 0, 100), crop_boxes(), crop_indices()},
         .rtol = 1e-4,
         .atol = 1e-2});
  cases.push_back({.op = "CropAndResizeGradBoxes",
                   .in = {random<float>({5, 1, 1, 3}, 3), random<float>({2, 6, 7, 3}, 1),
                          crop_boxes(), crop_indices()},
                   .rtol = 1e-4,
                   .atol = kCropTolerance});
}

void add_crop_errors(std::vector<OpCase>& cases) {
  const Tensor images = random<float>({2, 6, 7, 3}, 1), two = size_of(2, 2);
  const auto refuse = [&](Tensor in, Tensor corners, Tensor which, Tensor size, const char* error) {
    cases.push_back({.op = "CropAndResize",
                     .in = {std::move(in), std::move(corners), std::move(which), std::move(size)},
                     .error = error});
  };
  const auto which = [](std::int32_t last) {
    return tensor<std::int32_t>({5}, {0, 1, 1, 0, last});
  };
  refuse(random<float>({6, 7, 3}, 1), crop_boxes(), crop_indices(), two, "4-D|rank 4");
  refuse(random<float>({2, 0, 7, 3}, 1), crop_boxes(), crop_indices(), two,
         "image dimensions must be positive");
  refuse(images, random<float>({5, 3}, 1), crop_indices(), two, "4 columns|must be 4 but is 3");
  refuse(images, crop_boxes(), tensor<std::int32_t>({1}, {0}), two,
         "incompatible shape|must be equal");
  refuse(images, crop_boxes(), crop_indices(), size_of(0, 1), "crop dimensions must be positive");
  refuse(images, crop_boxes(), which(2), two, "box_index has values outside");
  refuse(images, crop_boxes(), which(-1), two, "box_index has values outside");
  refuse(images, filled<float>({5, 4}, std::numeric_limits<double>::quiet_NaN()), crop_indices(),
         two, "not finite");
  refuse(images, filled<float>({5, 4}, std::numeric_limits<double>::infinity()), crop_indices(),
         two, "not finite");
  cases.push_back({.op = "CropAndResizeGradImage",
                   .in = {random<float>({5, 2, 2, 3}, 3), crop_boxes(), crop_indices(),
                          tensor<std::int32_t>({4}, {2, 6, 7, 2})},
                   .attrs = {{"T", DType::f32}},
                   .error = "image_size and grads are incompatible"});
  cases.push_back({.op = "CropAndResizeGradBoxes",
                   .in = {random<float>({5, 2, 2, 3}, 3), random<float>({2, 6, 7, 2}, 1),
                          crop_boxes(), crop_indices()},
                   .error = "image, grads depth differ"});
}

}  // namespace

extern const OpCases kCropAndResizeCases{"crop_and_resize", [] {
                                           std::vector<OpCase> cases;
                                           add_crops(cases);
                                           add_crop_gradients(cases);
                                           add_crop_errors(cases);
                                           return cases;
                                         }};

}  // namespace rill
