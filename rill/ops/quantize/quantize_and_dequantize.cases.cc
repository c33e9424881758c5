#include "tests/optest/op_case.h"

namespace rill {
namespace {

// Rounding has steps, and the gradient passes straight through them: nothing to check numerically.
void add_rows(std::vector<OpCase>& cases, DType type) {
  const Tensor x = random(type, {5, 13}, 1, -7, 4), min = filled(type, {}, -2.5);
  const Tensor max = filled(type, {}, 1.5);
  for (const bool given : {false, true})
    for (const bool is_signed : {false, true})
      for (const bool narrow : {false, true}) {
        AttrMap attrs = {
            {"signed_input", is_signed}, {"range_given", given}, {"narrow_range", narrow}};
        cases.push_back({.op = "QuantizeAndDequantizeV3",
                         .in = {x, min, max, scalar<std::int32_t>(5)},
                         .attrs = attrs,
                         .atol = 1e-6,
                         .grad = false});
        for (const char* mode : {"HALF_TO_EVEN", "HALF_UP"}) {
          attrs["round_mode"] = mode;
          attrs["num_bits"] = std::int64_t{given ? 8 : 3};
          cases.push_back({.op = "QuantizeAndDequantizeV2",
                           .in = {x, min, max},
                           .attrs = attrs,
                           .atol = 1e-6,
                           .grad = false});
        }
      }
}

void add_first(std::vector<OpCase>& cases) {
  const Tensor x = tensor<double>({5}, {-2, -0.4, 0.6, 1, 3});
  cases.push_back({.op = "QuantizeAndDequantize",
                   .in = {x},
                   .attrs = {{"num_bits", std::int64_t{3}}},
                   .grad = false,
                   .want = {tensor<double>({5}, {-2, 0, 1, 1, 3})}});
  cases.push_back({.op = "QuantizeAndDequantize",
                   .in = {x},
                   .attrs = {{"num_bits", std::int64_t{2}},
                             {"range_given", true},
                             {"signed_input", false},
                             {"input_max", 1.5f}},
                   .grad = false,
                   .want = {tensor<double>({5}, {0, 0, 0.5, 1, 1.5})}});
}

void add_special_quantize_and_dequantize(std::vector<OpCase>& cases) {
  const Tensor min = scalar<float>(-2), max = scalar<float>(2), zero = scalar<float>(0);
  const Tensor x = tensor<float>({5}, {NAN, INFINITY, -INFINITY, 1, -7});
  const AttrMap given = {{"range_given", true}};
  cases.push_back(
      {.op = "QuantizeAndDequantizeV2", .in = {x, min, max}, .attrs = given, .grad = false});
  cases.push_back({.op = "QuantizeAndDequantizeV2", .in = {x, min, max}, .grad = false});
  cases.push_back({.op = "QuantizeAndDequantizeV2",
                   .in = {tensor<float>({3}, {1, 2, -3}), zero, zero},
                   .attrs = given,
                   .grad = false});
  cases.push_back({.op = "QuantizeAndDequantizeV2",
                   .in = {tensor<float>({3}, {0, 0, 0}), zero, zero},
                   .grad = false});
  cases.push_back({.op = "QuantizeAndDequantizeV2", .in = {tensor<float>({0, 2}, {}), min, max}});
  for (const std::int64_t bits : {1, 61})
    cases.push_back(
        {.op = "QuantizeAndDequantizeV2",
         .in = {tensor<double>({4}, {1, 2, -3, 0.3}), scalar<double>(-2), scalar<double>(2)},
         .attrs = {{"num_bits", bits}},
         .grad = false});
  cases.push_back({.op = "QuantizeAndDequantizeV2",
                   .in = {random<float>({40, 1000}, 9, -3, 2), min, max},
                   .atol = 1e-6,
                   .grad = false});
}

void add_quantize_and_dequantize_errors(std::vector<OpCase>& cases) {
  const Tensor min = scalar<float>(-2), max = scalar<float>(2), x = tensor<float>({2}, {1, 2});
  cases.push_back({.op = "QuantizeAndDequantizeV2",
                   .in = {x, max, min},
                   .attrs = {{"range_given", true}},
                   .error = "Invalid range: input_min 2 > input_max -2"});
  for (const std::int64_t bits : {0, 62, -5})
    cases.push_back({.op = "QuantizeAndDequantizeV2",
                     .in = {x, min, max},
                     .attrs = {{"num_bits", bits}},
                     .error = "num_bits is out of range: "});
  cases.push_back({.op = "QuantizeAndDequantizeV3",
                   .in = {x, min, max, scalar<std::int32_t>(63)},
                   .attrs = {{"signed_input", false}},
                   .error = "num_bits is out of range: 63"});
  cases.push_back({.op = "QuantizeAndDequantizeV3",
                   .in = {x, min, max, tensor<std::int32_t>({1}, {8})},
                   .error = "Shape must be rank 0 but is rank 1"});
}

}  // namespace

extern const OpCases kQuantizeAndDequantizeCases{"quantize_and_dequantize", [] {
                                                   std::vector<OpCase> cases;
                                                   add_rows(cases, DType::f32);
                                                   add_rows(cases, DType::f64);
                                                   add_first(cases);
                                                   add_special_quantize_and_dequantize(cases);
                                                   add_quantize_and_dequantize_errors(cases);
                                                   return cases;
                                                 }};

}  // namespace rill
