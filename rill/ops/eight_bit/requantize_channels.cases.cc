#include "tests/optest/op_case.h"

namespace rill {
namespace {

Tensor channels(std::initializer_list<float> ends) {
  return tensor<float>({static_cast<std::int64_t>(ends.size())}, ends);
}

OpCase requantize_by_channel(const Tensor& x, const Tensor& min, const Tensor& max, float to_min,
                             float to_max, DType type) {
  return {.op = "RequantizePerChannel",
          .in = {x, min, max, scalar<float>(to_min), scalar<float>(to_max)},
          .attrs = {{"out_type", type}}};
}

OpCase range_by_channel(const Tensor& x, const Tensor& min, const Tensor& max, float clip) {
  return {.op = "RequantizationRangePerChannel",
          .in = {x, min, max},
          .attrs = {{"clip_value_max", clip}}};
}

}  // namespace

extern const OpCases kRequantizeChannelsCases{
    "requantize_channels", [] {
      std::vector<OpCase> cases;
      const Tensor min = channels({-1, -200, -0.25f}), max = channels({2, 100, 0.25f});
      for (const auto& [low, high] : {std::pair{-2e9, 2e9}, {0.0, 5e8}, {-7e6, -1e3}}) {
        const Tensor x = random(DType::qi32, {2, 4, 5, 3}, 1, low, high);
        cases.push_back(requantize_by_channel(x, min, max, 0, 6, DType::qu8));
        for (const DType type : {DType::qu8, DType::qi8})
          cases.push_back(requantize_by_channel(x, min, max, -20, 10, type));
        for (const float clip : {6.0f, 1e30f}) cases.push_back(range_by_channel(x, min, max, clip));
      }
      OpCase unsigned_range = requantize_by_channel(random(DType::qi32, {1, 1, 2, 3}, 1, -9, 9),
                                                    min, max, 0, 6, DType::qi8);
      unsigned_range.error = "If out_type is QINT8, requested_output_max must be non negative";
      cases.push_back(std::move(unsigned_range));
      return cases;
    }};

}  // namespace rill
