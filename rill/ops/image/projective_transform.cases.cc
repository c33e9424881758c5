#include "tests/optest/op_case.h"

namespace rill {
namespace {

OpCase transform(Tensor images, Tensor transforms, std::int32_t height, std::int32_t width,
                 const char* interpolation) {
  return {
      .op = "ImageProjectiveTransformV2",
      .in = {std::move(images), std::move(transforms), tensor<std::int32_t>({2}, {height, width})},
      .attrs = {{"interpolation", std::string(interpolation)}},
      .grad = false};  // the gradient is TensorFlow's, which is no exact one
}

}  // namespace

extern const OpCases kProjectiveTransformCases{
    "projective_transform", [] {
      std::vector<OpCase> cases;
      const Tensor shifted = tensor<float>({1, 8}, {1, 0, 0.5F, 0, 1, -0.25F, 0, 0});
      const Tensor turned = tensor<float>({2, 8}, {0.8F, -0.6F, 1, 0.6F, 0.8F, -1, 0, 0, 1.2F, 0.1F,
                                                   -1, 0, 0.9F, 0.4F, 0.05F, -0.02F});
      for (const char* interpolation : {"NEAREST", "BILINEAR"}) {
        for (const DType type :
             {DType::u8, DType::i32, DType::i64, DType::f16, DType::f32, DType::f64}) {
          const Tensor images = random(type, {2, 4, 5, 2}, 1, 0, 100);
          cases.push_back(transform(images, shifted, 4, 5, interpolation));
          cases.push_back(transform(images, turned, 3, 7, interpolation));
        }
        // A line of the result comes from infinitely far away.
        const Tensor far = tensor<float>({1, 8}, {1, 0, 0, 0, 1, 0, -0.5F, 0});
        cases.push_back(transform(random(DType::f32, {1, 3, 3, 1}, 2), far, 3, 4, interpolation));
        cases.push_back(transform(Tensor(DType::f32, {0, 3, 3, 1}), far, 3, 4, interpolation));
      }
      const auto refuse = [&](OpCase row, const char* error) {
        row.error = error;
        cases.push_back(std::move(row));
      };
      const Tensor images = random(DType::f32, {2, 3, 3, 1}, 2);
      refuse(transform(images, tensor<float>({8}, {1, 0, 0, 0, 1, 0, 0, 0}), 2, 2, "NEAREST"),
             "(num_images x 8 or 1 x 8|rank 2)");
      refuse(transform(images, random(DType::f32, {3, 8}, 1), 2, 2, "NEAREST"),
             "num_images x 8 or 1 x 8");
      refuse(transform(images, random(DType::f32, {1, 7}, 1), 2, 2, "NEAREST"),
             "num_images x 8 or 1 x 8");
      return cases;
    }};

}  // namespace rill
