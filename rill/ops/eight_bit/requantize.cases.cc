#include "tests/optest/op_case.h"

namespace rill {
namespace {

Tensor sums(const Shape& shape, double low, double high) {
  return random(DType::qi32, shape, 5, low, high);
}

OpCase down(const Tensor& x, float min, float max) {
  return {.op = "QuantizeDownAndShrinkRange",
          .in = {x, scalar<float>(min), scalar<float>(max)},
          .attrs = {{"out_type", DType::qu8}}};
}

OpCase range_of(const Tensor& x, float min, float max) {
  return {.op = "RequantizationRange", .in = {x, scalar<float>(min), scalar<float>(max)}};
}

OpCase requantize(const Tensor& x, float min, float max, float to_min, float to_max, DType type) {
  return {.op = "Requantize",
          .in = {x, scalar<float>(min), scalar<float>(max), scalar<float>(to_min),
                 scalar<float>(to_max)},
          .attrs = {{"out_type", type}}};
}

}  // namespace

extern const OpCases kRequantizeCases{
    "requantize", [] {
      std::vector<OpCase> cases;
      const auto refuse = [&](OpCase row, const char* error) {
        row.error = error;
        cases.push_back(std::move(row));
      };
      for (const auto& [low, high] : {std::pair{-2.1e9, 2.1e9},
                                      {-60000.0, 90000.0},
                                      {0.0, 3e6},
                                      {1e6, 2e6},
                                      {-5e4, -1e4},
                                      {7.0, 8.0}})
        for (const auto& [min, max] :
             {std::pair{-198933.19f, 198933.19f}, {-1.0f, 1.0f}, {0.0f, 3.0f}, {-70.0f, 20.0f}}) {
          cases.push_back(down(sums({3, 60}, low, high), min, max));
          cases.push_back(range_of(sums({3, 60}, low, high), min, max));
        }
      for (const DType type : {DType::qu8, DType::qi8})
        for (const auto& [to_min, to_max] :
             {std::pair{-3.0f, 5.0f}, {0.0f, 1.0f}, {-1.0f, 0.0f}, {-0.25f, 0.25f}, {0.0f, 0.0f}}) {
          cases.push_back(
              requantize(sums({4, 50}, -6e4, 9e4), -198933.19f, 198933.19f, to_min, to_max, type));
          cases.push_back(requantize(sums({4, 50}, -2e9, 2e9), -1, 1, to_min, to_max, type));
          cases.push_back(requantize(sums({0, 3}, 0, 1), -1, 1, to_min, to_max, type));
        }
      cases.push_back(requantize(sums({300, 70}, -6e4, 9e4), -2e5f, 2e5f, -8, 8, DType::qu8));
      cases.push_back(down(sums({300, 70}, -6e4, 9e4), -2e5f, 2e5f));
      refuse(requantize(sums({4}, 0, 9), -1, 1, 0.5f, 1, DType::qu8),
             "requested_output_min must be <= 0");
      refuse(requantize(sums({4}, 0, 9), -1, 1, -1, -2, DType::qu8),
             "requested_output_max must be >= requested_output_min");
      refuse(requantize(sums({4}, 0, 9), -1, 1, NAN, 1, DType::qu8),
             "requested_output_min must be <= 0");
      return cases;
    }};

}  // namespace rill
