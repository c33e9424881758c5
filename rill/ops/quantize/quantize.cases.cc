#include "tests/optest/op_case.h"

namespace rill {
namespace {

constexpr const char* kModes[] = {"MIN_COMBINED", "MIN_FIRST", "SCALED"};
constexpr DType kTypes[] = {DType::qi8, DType::qu8, DType::qi16, DType::qu16, DType::qi32};

void add_quantize(std::vector<OpCase>& cases, float min, float max) {
  for (const DType type : kTypes)
    for (const char* mode : kModes) {
      const AttrMap attrs = {{"T", type}, {"mode", mode}};
      // Beyond the range, where 32 bits overflow, TensorFlow's answer hangs on the machine.
      const double inside = type == DType::qi32 ? 0.9 : 1.3;
      cases.push_back({.op = "QuantizeV2",
                       .in = {random<float>({3, 17}, 1, inside * min, inside * max),
                              scalar<float>(min), scalar<float>(max)},
                       .attrs = attrs});
    }
}

void add_dequantize(std::vector<OpCase>& cases, float min, float max) {
  for (const DType type : kTypes)
    for (const char* mode : kModes) {
      const double low = type == DType::qi8    ? -128
                         : type == DType::qi16 ? -32768
                         : type == DType::qi32 ? -2e9
                                               : 0;
      const double high = type == DType::qi8    ? 128
                          : type == DType::qu8  ? 256
                          : type == DType::qi16 ? 32768
                          : type == DType::qu16 ? 65536
                                                : 2e9;
      cases.push_back(
          {.op = "Dequantize",
           .in = {random(type, {3, 17}, 2, low, high), scalar<float>(min), scalar<float>(max)},
           .attrs = {{"mode", mode}},
           .atol = 1e-6});
    }
}

void add_ends(std::vector<OpCase>& cases) {
  const Tensor x = tensor<float>({6}, {INFINITY, -INFINITY, 0, 2.5f, -2.5f, 1});
  for (const DType type : {DType::qi8, DType::qu8})
    for (const char* mode : kModes) {
      const AttrMap attrs = {{"T", type}, {"mode", mode}};
      for (const auto& [min, max] : {std::pair{1.0f, 1.0f}, {1, 2}, {-3, -2}, {0, 0}})
        cases.push_back({.op = "QuantizeV2",
                         .in = {x, scalar<float>(min), scalar<float>(max)},
                         .attrs = attrs});
      cases.push_back({.op = "QuantizeV2",
                       .in = {tensor<float>({0, 2}, {}), scalar<float>(0), scalar<float>(1)},
                       .attrs = attrs});
    }
  cases.push_back(
      {.op = "QuantizeV2",
       .in = {tensor<float>({6}, {0.5f, 1.5f, 2.5f, -0.5f, -1.5f, 3.49f}), scalar<float>(-128),
              scalar<float>(127)},
       .attrs = {{"T", DType::qi8}, {"mode", "SCALED"}, {"round_mode", "HALF_TO_EVEN"}}});
  cases.push_back({.op = "QuantizeV2",
                   .in = {tensor<float>({6}, {0.5f, 1.5f, 2.5f, -0.5f, -1.5f, 3.49f}),
                          scalar<float>(-128), scalar<float>(127)},
                   .attrs = {{"T", DType::qi8}, {"mode", "SCALED"}}});
  for (const char* mode : kModes) {
    cases.push_back(
        {.op = "Dequantize",
         .in = {tensor<qint8>({5}, {-128, -127, 0, 1, 127}), scalar<float>(3), scalar<float>(3)},
         .attrs = {{"mode", mode}}});
    cases.push_back(
        {.op = "Dequantize",
         .in = {tensor<quint8>({4}, {0, 1, 128, 255}), scalar<float>(3), scalar<float>(1)},
         .attrs = {{"mode", mode}}});
    cases.push_back({.op = "Dequantize",
                     .in = {tensor<qint32>({0}, {}), scalar<float>(0), scalar<float>(1)},
                     .attrs = {{"mode", mode}}});
  }
}

void add_quantize_errors(std::vector<OpCase>& cases) {
  const Tensor x = tensor<float>({2}, {1, 2}), zero = scalar<float>(0), one = scalar<float>(1);
  cases.push_back({.op = "QuantizeV2",
                   .in = {x, one, zero},
                   .attrs = {{"T", DType::qi8}},
                   .error = "input_max_range must be larger than input_min_range"});
  cases.push_back({.op = "QuantizeV2",
                   .in = {x, zero, one},
                   .attrs = {{"T", DType::qi8}, {"round_mode", "HALF_TO_EVEN"}},
                   .error = "Round mode 'HALF_TO_EVEN' only supported for mode 'SCALED'"});
  cases.push_back({.op = "QuantizeV2",
                   .in = {x, x, one},
                   .attrs = {{"T", DType::qi8}},
                   .error = "Shape must be rank 0 but is rank 1"});
  cases.push_back({.op = "Dequantize",
                   .in = {tensor<qint8>({2}, {1, 2}), zero, x},
                   .error = "Shape must be rank 0 but is rank 1"});
}

}  // namespace

extern const OpCases kQuantizeCases{
    "quantize", [] {
      std::vector<OpCase> cases;
      for (const auto& [min, max] : {std::pair{-6.0f, 5.0f}, {0, 0.7f}, {-1.5f, 0.25f}}) {
        add_quantize(cases, min, max);
        add_dequantize(cases, min, max);
      }
      add_ends(cases);
      add_quantize_errors(cases);
      return cases;
    }};

}  // namespace rill
