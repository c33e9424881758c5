#include "tests/optest/op_case.h"

// TensorFlow computes these through oneDNN alone, which tools/goldens.py switches on for them.
namespace rill {
namespace {

using Numbers = std::vector<std::int64_t>;

OpCase depthwise(const char* op, const Shape& images, const Shape& filter, std::int64_t stride,
                 const char* padding, bool bias, bool requantizes) {
  OpCase row{
      .op = op,
      .in = {random(DType::qu8, images, 1, 0, 256), random(DType::qi8, filter, 2, -128, 128)},
      .attrs = {{"strides", Numbers{1, stride, stride, 1}}, {"padding", std::string(padding)}}};
  if (bias) row.in.emplace_back(random(DType::f32, {filter.dim(2) * filter.dim(3)}, 3, -2, 2));
  for (const float end : {-1.0f, 2.0f, -0.5f, 0.5f}) row.in.emplace_back(scalar<float>(end));
  if (requantizes)
    for (const float end : {-1.0f, 3.0f}) row.in.emplace_back(scalar<float>(end));
  return row;
}

}  // namespace

extern const OpCases kQuantizedDepthwiseCases{
    "quantized_depthwise", [] {
      struct Kind {
        const char* op;
        bool bias, requantizes;
      };
      const Kind kinds[] = {{"QuantizedDepthwiseConv2D", false, false},
                            {"QuantizedDepthwiseConv2DWithBias", true, false},
                            {"QuantizedDepthwiseConv2DWithBiasAndRelu", true, false},
                            {"QuantizedDepthwiseConv2DWithBiasAndReluAndRequantize", true, true}};
      std::vector<OpCase> cases;
      for (const auto& [op, bias, requantizes] : kinds) {
        cases.push_back(depthwise(op, {2, 5, 6, 3}, {3, 3, 3, 1}, 1, "SAME", bias, requantizes));
        cases.push_back(depthwise(op, {1, 7, 7, 2}, {3, 2, 2, 3}, 2, "VALID", bias, requantizes));
        cases.push_back(depthwise(op, {1, 9, 9, 40}, {3, 3, 40, 1}, 2, "SAME", bias, requantizes));
      }
      return cases;
    }};

}  // namespace rill
