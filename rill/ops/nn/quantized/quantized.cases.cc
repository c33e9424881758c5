#include "tests/optest/op_case.h"

namespace rill {
namespace {

using Numbers = std::vector<std::int64_t>;

Tensor levels(const Shape& shape, int seed) { return random(DType::qu8, shape, seed, 0, 256); }

OpCase conv(const Shape& images, const Shape& filter, const char* padding, std::int64_t stride,
            float min = -1.5f, float max = 2.5f) {
  return {.op = "QuantizedConv2D",
          .in = {levels(images, 1), levels(filter, 2), scalar<float>(min), scalar<float>(max),
                 scalar<float>(-0.75f), scalar<float>(1.25f)},
          .attrs = {{"strides", Numbers{1, stride, stride, 1}}, {"padding", std::string(padding)}}};
}

OpCase pool(const char* op, const Shape& images, std::int64_t size, std::int64_t stride,
            const char* padding) {
  return {.op = op,
          .in = {levels(images, 3), scalar<float>(-1), scalar<float>(3)},
          .attrs = {{"ksize", Numbers{1, size, size, 1}},
                    {"strides", Numbers{1, stride, stride, 1}},
                    {"padding", std::string(padding)}}};
}

OpCase relu(const char* op, DType type, float min, float max) {
  const bool wide = type == DType::qi32;
  return {.op = op,
          .in = {random(type, {3, 17}, 4, wide ? -2e9 : 0, wide ? 2e9 : 256), scalar<float>(min),
                 scalar<float>(max)},
          .attrs = {{"out_type", type}}};
}

}  // namespace

extern const OpCases kQuantizedCases{
    "quantized", [] {
      std::vector<OpCase> cases{conv({2, 5, 6, 3}, {3, 2, 3, 4}, "SAME", 1),
                                conv({2, 5, 6, 3}, {3, 2, 3, 4}, "VALID", 1),
                                conv({1, 7, 7, 2}, {3, 3, 2, 5}, "SAME", 2),
                                conv({1, 4, 4, 1}, {1, 1, 1, 1}, "VALID", 1, 0, 255),
                                conv({1, 4, 4, 16}, {3, 3, 16, 17}, "SAME", 1, 1, 4)};
      for (const char* op : {"QuantizedMaxPool", "QuantizedAvgPool"})
        for (const char* padding : {"SAME", "VALID"}) {
          cases.push_back(pool(op, {2, 5, 6, 3}, 2, 2, padding));
          cases.push_back(pool(op, {1, 7, 5, 4}, 3, 1, padding));
        }
      for (const char* op : {"QuantizedRelu", "QuantizedRelu6"})
        for (const DType type : {DType::qu8, DType::qi32})
          for (const auto& [min, max] : {std::pair{-1.0f, 10.0f}, {0, 3}, {-4, 4}, {2, 2}})
            cases.push_back(relu(op, type, min, max));
      // TensorFlow computes QuantizedReluX nowhere: levels from 85 (zero) to 170 (two) remain.
      OpCase capped{.op = "QuantizedReluX",
                    .in = {tensor<quint8>({6}, {0, 84, 85, 100, 170, 255}), scalar<float>(2),
                           scalar<float>(-2), scalar<float>(4)}};
      capped.want = {tensor<quint8>({6}, {85, 85, 85, 100, 170, 170}), scalar<float>(-2),
                     scalar<float>(4)};
      cases.push_back(std::move(capped));
      return cases;
    }};

}  // namespace rill
