#include "tests/optest/op_case.h"

namespace rill {
namespace {

OpCase resize(Tensor images, std::int32_t height, std::int32_t width, float least, float most,
              bool align_corners = false, bool half_pixel_centers = false) {
  return {.op = "QuantizedResizeBilinear",
          .in = {std::move(images), tensor<std::int32_t>({2}, {height, width}),
                 scalar<float>(least), scalar<float>(most)},
          .attrs = {{"align_corners", align_corners}, {"half_pixel_centers", half_pixel_centers}}};
}

}  // namespace

extern const OpCases kQuantizedResizeBilinearCases{
    "quantized_resize_bilinear", [] {
      std::vector<OpCase> cases;
      for (const auto& [height, width] : {std::pair{3, 4}, {13, 9}, {6, 20}, {1, 1}})
        for (const int rule : {0, 1, 2})
          for (const DType type : {DType::qu8, DType::f32, DType::qi32}) {
            const Tensor images = random(type, {2, 6, 7, 3}, 1, 0, 256);
            cases.push_back(resize(images, height, width, -1.5F, 3, rule == 1, rule == 2));
          }
      const auto refuse = [&](OpCase row, const char* error) {
        row.error = error;
        cases.push_back(std::move(row));
      };
      const Tensor images = random(DType::qu8, {1, 3, 4, 1}, 1, 0, 9);
      refuse(resize(images, 0, 1, 0, 1), "output dimensions must be positive");
      refuse(resize(random(DType::qu8, {3, 4, 1}, 1, 0, 9), 1, 1, 0, 1), "rank 4|4-dimensional");
      return cases;
    }};

}  // namespace rill
