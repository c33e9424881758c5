#include "tests/optest/op_case.h"

namespace rill {
namespace {

OpCase instance_norm(const Shape& shape, float min, float max, AttrMap attrs = {}) {
  return {.op = "QuantizedInstanceNorm",
          .in = {random(DType::qu8, shape, 6, 0, 256), scalar<float>(min), scalar<float>(max)},
          .attrs = std::move(attrs)};
}

OpCase batch_norm(const Shape& shape, bool scaled, float epsilon, float min = -2, float max = 3) {
  const Shape vector{shape.dim(3)};
  OpCase row{.op = "QuantizedBatchNormWithGlobalNormalization",
             .attrs = {{"out_type", DType::qi32},
                       {"variance_epsilon", epsilon},
                       {"scale_after_normalization", scaled}}};
  const auto add = [&](const Shape& of, int seed, float low, float high) {
    row.in.emplace_back(random(DType::qu8, of, static_cast<std::uint64_t>(seed), 0, 256));
    row.in.emplace_back(scalar<float>(low));
    row.in.emplace_back(scalar<float>(high));
  };
  add(shape, 1, min, max);
  add(vector, 2, -1, 1);
  add(vector, 3, 0, 4);
  add(vector, 4, -0.5f, 0.5f);
  add(vector, 5, -1, 2);
  return row;
}

}  // namespace

extern const OpCases kQuantizedNormCases{
    "quantized_norm", [] {
      std::vector<OpCase> cases{
          instance_norm({2, 4, 5, 3}, -1, 2),
          instance_norm({1, 9, 7, 1}, 0, 1),
          instance_norm({1, 1, 1, 4}, -1, 1),
          instance_norm({2, 4, 5, 3}, -1, 2, {{"variance_epsilon", 0.5f}}),
          instance_norm({2, 4, 5, 3}, -1, 2, {{"min_separation", 10.0f}}),
          instance_norm(
              {2, 4, 5, 3}, -1, 2,
              {{"output_range_given", true}, {"given_y_min", -1.0f}, {"given_y_max", 1.5f}})};
      for (const bool scaled : {false, true})
        for (const float epsilon : {1e-3f, 0.25f}) {
          cases.push_back(batch_norm({2, 3, 4, 5}, scaled, epsilon));
          cases.push_back(batch_norm({1, 3, 4, 2}, scaled, epsilon, -100, 900));
        }
      const auto refuse = [&](OpCase row, const char* error) {
        row.error = error;
        cases.push_back(std::move(row));
      };
      refuse(instance_norm({2, 4, 5, 3}, 2, 1), "input_min must be less than input_max");
      refuse(instance_norm({2, 4, 5, 3}, NAN, 1), "input_min must be less than input_max");
      return cases;
    }};

}  // namespace rill
