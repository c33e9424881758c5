#include "tests/optest/op_case.h"

namespace rill {
namespace {

OpCase crop(Tensor image, std::int64_t height, std::int64_t width, std::int64_t seed,
            std::int64_t seed2) {
  return {.op = "RandomCrop",
          .in = {std::move(image), tensor<std::int64_t>({2}, {height, width})},
          .attrs = {{"seed", seed}, {"seed2", seed2}}};
}

}  // namespace

extern const OpCases kRandomCropCases{
    "random_crop", [] {
      std::vector<OpCase> cases;
      for (const DType type :
           {DType::u8, DType::i8, DType::i16, DType::i32, DType::i64, DType::f32, DType::f64})
        for (const std::int64_t seed : {1, 7})
          cases.push_back(crop(random(type, {9, 12, 3}, 1, 0, 100), 4, 5, seed, 2));
      const Tensor image = random<float>({9, 12, 3}, 1);
      cases.push_back(crop(image, 9, 12, 1, 2));
      cases.push_back(crop(image, 9, 5, 1, 2));
      cases.push_back(crop(image, 3, 12, 1, 2));
      cases.push_back(crop(image, 0, 3, 1, 2));
      const auto refuse = [&](OpCase row, const char* error) {
        row.error = error;
        cases.push_back(std::move(row));
      };
      refuse(crop(image, 10, 2, 1, 2), "height must be >= target_height");
      refuse(crop(image, 2, 13, 1, 2), "width must be >= target_width");
      refuse(crop(random<float>({9, 12}, 1), 2, 2, 1, 2), "3-D|3 dimensional|rank 3");
      return cases;
    }};

}  // namespace rill
