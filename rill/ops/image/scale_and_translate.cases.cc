#include "rill/ops/image/image_testing.h"

namespace rill {
namespace {

constexpr double kScaleTolerance = 1e-5;
constexpr const char* kKernels[] = {"lanczos1", "lanczos3", "lanczos5",  "gaussian",
                                    "box",      "triangle", "keyscubic", "mitchellcubic"};

Tensor pair(float a, float b) { return tensor<float>({2}, {a, b}); }

AttrMap attrs(const char* kernel, bool antialias) {
  return {{"kernel_type", std::string(kernel)}, {"antialias", antialias}};
}

struct Movement {
  std::int32_t height, width;
  float scale_y, scale_x, shift_y, shift_x;
};
constexpr Movement kMovements[] = {{9, 14, 1.8F, 2, 0, 0},    {3, 2, 0.5F, 0.3F, 0, 0},
                                   {6, 7, 1, 1, 0.7F, -1.3F}, {8, 5, 0.7F, 1.6F, 2.5F, -3},
                                   {1, 1, 0.1F, 0.1F, 0, 0},  {4, 4, 1, 1, 100, 0}};

void add_movements(std::vector<OpCase>& cases) {
  for (const char* kernel : kKernels)
    for (const bool antialias : {true, false})
      for (const Movement& m : kMovements) {
        const Tensor scale = pair(m.scale_y, m.scale_x), shift = pair(m.shift_y, m.shift_x);
        cases.push_back({.op = "ScaleAndTranslate",
                         .in = {random<float>({2, 6, 7, 3}, 1, -9, 9), size_of(m.height, m.width),
                                scale, shift},
                         .attrs = attrs(kernel, antialias),
                         .atol = 10 * kScaleTolerance,
                         .grad = false});  // scale and translation have none in TensorFlow
        cases.push_back({.op = "ScaleAndTranslateGrad",
                         .in = {random<float>({2, m.height, m.width, 2}, 1),
                                random<float>({2, 6, 7, 2}, 2), scale, shift},
                         .attrs = attrs(kernel, antialias),
                         .atol = kScaleTolerance});
      }
  for (const DType type : {DType::i8, DType::u8, DType::i16, DType::u16, DType::i32, DType::i64,
                           DType::bf16, DType::f16, DType::f64})
    cases.push_back({.op = "ScaleAndTranslate",
                     .in = {random(type, {1, 6, 7, 3}, 1, 0, 100), size_of(4, 9), pair(0.6F, 1.3F),
                            pair(0.1F, 0.2F)},
                     .atol = 10 * kScaleTolerance,
                     .grad = false});
}

void add_scale_errors(std::vector<OpCase>& cases) {
  const auto refuse = [&](Tensor images, Tensor size, Tensor scale, Tensor shift, const char* error,
                          AttrMap attrs = {}) {
    cases.push_back({.op = "ScaleAndTranslate",
                     .in = {std::move(images), std::move(size), std::move(scale), std::move(shift)},
                     .attrs = std::move(attrs),
                     .error = error});
  };
  const Tensor images = random<float>({1, 3, 4, 1}, 1), size = size_of(2, 2), one = pair(1, 1);
  refuse(random<float>({3, 4, 1}, 1), size, one, one, "rank 4|4-dimensional");
  refuse(images, size_of(0, 1), one, one, "output dimensions must be positive");
  refuse(images, size, pair(0, 1), one, "Scale must be greater than zero");
  refuse(images, size, pair(1, -1), one, "Scale must be greater than zero");
  refuse(images, size, one, tensor<float>({1}, {1}), "two elements|must be 2 but is 1");
  refuse(images, size, one, one, "Unrecognized kernel type: cone",
         {{"kernel_type", std::string("cone")}});
  cases.push_back({.op = "ScaleAndTranslate",
                   .in = {random<float>({0, 3, 4, 1}, 1), size, one, one},
                   .grad = false});
}

}  // namespace

extern const OpCases kScaleAndTranslateCases{"scale_and_translate", [] {
                                               std::vector<OpCase> cases;
                                               add_movements(cases);
                                               add_scale_errors(cases);
                                               return cases;
                                             }};

}  // namespace rill
