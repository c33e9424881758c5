#include "rill/ops/image/image_testing.h"

namespace rill {
namespace {

constexpr double kResizeTolerance = 1e-5;

struct Size {
  std::int32_t height, width;
};
// Larger, smaller, equal, mixed, one pixel.
constexpr Size kSizes[] = {{9, 14}, {2, 3}, {5, 7}, {11, 3}, {1, 1}, {3, 20}};

struct Rule {
  bool align_corners, half_pixel_centers;
  AttrMap attrs() const {
    return {{"align_corners", align_corners}, {"half_pixel_centers", half_pixel_centers}};
  }
};
constexpr Rule kRules[] = {{false, false}, {true, false}, {false, true}};

constexpr DType kResizeTypes[] = {DType::i8,  DType::u8,  DType::i16, DType::u16, DType::i32,
                                  DType::i64, DType::f16, DType::f32, DType::f64};

Tensor resize_images(DType type, Shape shape) { return random(type, std::move(shape), 7, 0, 100); }

void add_resizes(std::vector<OpCase>& cases) {
  for (const char* op : {"ResizeBilinear", "ResizeBicubic", "ResizeNearestNeighbor"}) {
    for (const Rule& rule : kRules) {
      for (const Size& size : kSizes)
        for (const std::int64_t channels : {1, 2, 3})
          cases.push_back(
              {.op = op,
               .in = {random<float>({2, 5, 7, channels}, 3), size_of(size.height, size.width)},
               .attrs = rule.attrs(),
               .atol = kResizeTolerance});
      for (const DType type : kResizeTypes)
        cases.push_back({.op = op,
                         .in = {resize_images(type, {1, 6, 4, 3}), size_of(4, 9)},
                         .attrs = rule.attrs(),
                         .atol = kResizeTolerance});
    }
    cases.push_back({.op = op, .in = {resize_images(DType::f32, {1, 1, 1, 4}), size_of(3, 2)}});
    cases.push_back({.op = op, .in = {resize_images(DType::u8, {2, 40, 50, 3}), size_of(61, 23)}});
    cases.push_back({.op = op,
                     .in = {resize_images(DType::f32, {1, 8, 9, 17}), size_of(3, 12)},
                     .atol = kResizeTolerance});
    cases.push_back({.op = op, .in = {resize_images(DType::f32, {0, 8, 9, 1}), size_of(3, 12)}});
  }
  cases.push_back(
      {.op = "ResizeBilinear", .in = {resize_images(DType::bf16, {1, 6, 4, 3}), size_of(4, 9)}});
  for (const bool align_corners : {false, true}) {
    const AttrMap attrs{{"align_corners", align_corners}};
    for (const Size& size : kSizes)
      for (const std::int64_t channels : {1, 3, 5})
        cases.push_back(
            {.op = "ResizeArea",
             .in = {random<float>({2, 5, 7, channels}, 3), size_of(size.height, size.width)},
             .attrs = attrs,
             .atol = kResizeTolerance});
    for (const DType type : kResizeTypes)
      cases.push_back({.op = "ResizeArea",
                       .in = {resize_images(type, {1, 6, 4, 3}), size_of(4, 3)},
                       .attrs = attrs,
                       .atol = kResizeTolerance});
  }
}

void add_resize_gradients(std::vector<OpCase>& cases) {
  for (const Rule& rule : kRules)
    for (const Size& size : kSizes) {
      const Tensor grads = random<float>({2, size.height, size.width, 3}, 5);
      for (const DType type : {DType::f32, DType::f64, DType::f16, DType::bf16}) {
        const Tensor original = random(type, {2, 5, 7, 3}, 6);
        const bool narrow = type == DType::f16 || type == DType::bf16;
        // TensorFlow adds up half types as such, and rounds each time.
        const double rtol = type == DType::f64 ? 1e-5 : -1, atol = type == DType::f16 ? 5e-3
                                                                   : type == DType::bf16
                                                                       ? 5e-2
                                                                       : kResizeTolerance;
        cases.push_back({.op = "ResizeBilinearGrad",
                         .in = {grads, original},
                         .attrs = rule.attrs(),
                         .rtol = rtol,
                         .atol = atol});
        if (!narrow)
          cases.push_back({.op = "ResizeBicubicGrad",
                           .in = {grads, original},
                           .attrs = rule.attrs(),
                           .rtol = rtol,
                           .atol = atol});
      }
      for (const DType type :
           {DType::u8, DType::i8, DType::i32, DType::f16, DType::f32, DType::f64})
        cases.push_back(
            {.op = "ResizeNearestNeighborGrad",
             .in = {random(type, {2, size.height, size.width, 3}, 5, 0, 100), size_of(5, 7)},
             .attrs = rule.attrs(),
             .atol = type == DType::f16 ? 1.0 : 0});
    }
}

void add_resize_errors(std::vector<OpCase>& cases) {
  for (const char* op :
       {"ResizeBilinear", "ResizeBicubic", "ResizeNearestNeighbor", "ResizeArea"}) {
    const auto refuse = [&](Shape shape, Tensor size, const char* error) {
      cases.push_back(
          {.op = op, .in = {random<float>(std::move(shape), 1), std::move(size)}, .error = error});
    };
    refuse({4, 4, 1}, size_of(2, 2), "rank 4|4-dimensional");
    refuse({1, 4, 4, 1}, tensor<std::int32_t>({3}, {1, 2, 3}), "two elements|must be 2 but is 3");
    refuse({1, 4, 4, 1}, tensor<std::int32_t>({1, 2}, {1, 2}), "1-dimensional|rank 1");
    refuse({1, 4, 4, 1}, size_of(0, 2), "output dimensions must be positive");
    refuse({1, 4, 4, 1}, size_of(2, -2), "output dimensions must be positive");
    refuse({1, 0, 4, 1}, size_of(2, 2), "input image must be of non-zero size");
    refuse({1, 4, 4, 0}, size_of(2, 2), "image must have at least one channel");
  }
  cases.push_back({.op = "ResizeBilinear",
                   .in = {random<float>({1, 4, 4, 1}, 1), size_of(2, 2)},
                   .attrs = Rule{true, true}.attrs(),
                   .error = "If half_pixel_centers is True, align_corners must be False"});
  cases.push_back({.op = "ResizeBilinearGrad",
                   .in = {random<float>({1, 0, 4, 1}, 1), random<float>({1, 2, 2, 1}, 1)},
                   .error = "resized dimensions must be positive"});
  cases.push_back({.op = "ResizeNearestNeighborGrad",
                   .in = {random<float>({1, 3, 4, 1}, 1), size_of(2, 0)},
                   .error = "shape_t's elements must be positive"});
}

}  // namespace

extern const OpCases kResizeCases{"resize", [] {
                                    std::vector<OpCase> cases;
                                    add_resizes(cases);
                                    add_resize_gradients(cases);
                                    add_resize_errors(cases);
                                    return cases;
                                  }};

}  // namespace rill
