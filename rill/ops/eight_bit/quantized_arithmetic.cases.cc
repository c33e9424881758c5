#include "tests/optest/op_case.h"

namespace rill {
namespace {

OpCase pair(const char* op, const Shape& x, const Shape& y, float min_x = -1.5f, float max_x = 2.5f,
            float min_y = -3, float max_y = 0.5f) {
  return {.op = op,
          .in = {random(DType::qu8, x, 1, 0, 256), random(DType::qu8, y, 2, 0, 256),
                 scalar<float>(min_x), scalar<float>(max_x), scalar<float>(min_y),
                 scalar<float>(max_y)}};
}

OpCase bias_add(DType type, const Shape& input, const Shape& bias, float min = -1, float max = 3,
                float min_bias = -0.5f, float max_bias = 0.25f) {
  const double low = type == DType::qu8 ? 0 : -128, high = low + 256;
  return {.op = "QuantizedBiasAdd",
          .in = {random(type, input, 3, low, high), random(type, bias, 4, low, high),
                 scalar<float>(min), scalar<float>(max), scalar<float>(min_bias),
                 scalar<float>(max_bias)},
          .attrs = {{"out_type", DType::qi32}}};
}

}  // namespace

extern const OpCases kQuantizedArithmeticCases{
    "quantized_arithmetic", [] {
      std::vector<OpCase> cases;
      const auto refuse = [&](OpCase row, const char* error) {
        row.error = error;
        cases.push_back(std::move(row));
      };
      for (const char* op : {"QuantizedAdd", "QuantizedMul"}) {
        cases.push_back(pair(op, {3, 70}, {3, 70}));
        cases.push_back(pair(op, {3, 17}, {}));
        cases.push_back(pair(op, {}, {3, 17}));
        cases.push_back(pair(op, {2, 3, 17}, {17}));
        cases.push_back(pair(op, {16}, {5, 16}));
        cases.push_back(pair(op, {40}, {40}, 0, 255, 0, 255));
        cases.push_back(pair(op, {40}, {40}, 1, 4, -2, -1));
        cases.push_back(pair(op, {40}, {40}, -1000, 3000, -1e-3f, 1e-3f));
        refuse(pair(op, {4}, {4}, 1, 1), "must be larger than min_");
        refuse(pair(op, {4}, {4}, 0, 1, 0, NAN), "must be larger than min_");
        refuse(pair(op, {4}, {3}), "must be equal|Incompatible shapes");
      }
      for (const DType type : {DType::qu8, DType::qi8}) {
        cases.push_back(bias_add(type, {3, 17}, {17}));
        cases.push_back(bias_add(type, {2, 3, 4, 5}, {5}));
        cases.push_back(bias_add(type, {5, 4}, {4}, 0, 255, -1, 1));
        cases.push_back(bias_add(type, {5, 4}, {4}, -1e-3f, 1e-3f, -100, 100));
        cases.push_back(bias_add(type, {5, 4}, {4}, 2, 2, 0, 0));
        cases.push_back(bias_add(type, {0, 4}, {4}));
      }
      refuse(bias_add(DType::qu8, {5}, {5}), "at least 2D");
      refuse(bias_add(DType::qu8, {5, 4}, {5}), "as many biases|must be equal");
      refuse(bias_add(DType::qu8, {5, 4}, {4, 1}), "must be 1D|rank 1");
      return cases;
    }};

}  // namespace rill
