#include <cmath>

#include "tests/optest/op_case.h"

// TensorFlow computes these through oneDNN alone, which tools/goldens.py switches on for them. It
// is asked where the bias is whole: for a bias of floats, version 2.15 takes MIN_FIRST for either
// mode and multiplies what the first level stands for by the scale of the result once too often.
// Such rows are compared with the product of the numbers that the bytes stand for.
namespace rill {
namespace {

struct Product {
  const char* op;
  const char* mode = "MIN_FIRST";
  std::int64_t m = 5, k = 9, n = 4;
  float min = -1, max = 2;
  bool transpose_b = false;
};

OpCase whole_bias(const Product& p, bool requantizes) {
  OpCase row{.op = p.op,
             .in = {random(DType::qu8, {p.m, p.k}, 1, 0, 256),
                    random(DType::qi8, {p.k, p.n}, 2, -128, 128),
                    random(DType::qi32, {p.n}, 3, -9000, 9000), scalar<float>(p.min),
                    scalar<float>(p.max), scalar<float>(-1), scalar<float>(0.5f)},
             .attrs = {{"input_quant_mode", std::string(p.mode)}}};
  if (requantizes)
    for (const float end : {-1.0f, 7.0f}) row.in.emplace_back(scalar<float>(end));
  return row;
}

OpCase float_bias(const Product& p, bool rectifies, bool requantizes) {
  const bool min_first = p.mode == std::string("MIN_FIRST");
  const double step_a = (min_first ? p.max - p.min : std::max(-p.min, p.max)) / 255.0,
               step_b = 0.5 / 127, first = min_first ? p.min : 0;
  const Tensor a = random(DType::qu8, {p.m, p.k}, 1, 0, 256),
               b = random(DType::qi8, p.transpose_b ? Shape{p.n, p.k} : Shape{p.k, p.n}, 2, -128,
                          128),
               bias = random(DType::f32, {p.n}, 3, -2, 2);
  OpCase row{.op = p.op,
             .in = {a, b, bias, scalar<float>(p.min), scalar<float>(p.max), scalar<float>(-0.5f),
                    scalar<float>(0.5f)},
             .attrs = {{"input_quant_mode", std::string(p.mode)}, {"transpose_b", p.transpose_b}}};
  if (requantizes)
    for (const float end : {0.0f, 7.0f}) row.in.emplace_back(scalar<float>(end));
  const Tensor want(requantizes ? DType::qu8 : DType::qi32, {p.m, p.n});
  for (std::int64_t i = 0; i < p.m * p.n; ++i) {
    double sum = bias.data<float>()[i % p.n];
    for (std::int64_t d = 0; d < p.k; ++d) {
      const std::int64_t at = p.transpose_b ? i % p.n * p.k + d : d * p.n + i % p.n;
      sum += (first + a.data<quint8>()[i / p.n * p.k + d].value * step_a) *
             (b.data<qint8>()[at].value * step_b);
    }
    if (rectifies) sum = std::max(sum, 0.0);
    if (requantizes)
      want.data<quint8>()[i].value =
          static_cast<std::uint8_t>(std::min(std::nearbyint(sum / 7 * 255), 255.0));
    else
      want.data<qint32>()[i].value =
          static_cast<std::int32_t>(std::nearbyint(sum / (step_a * step_b)));
  }
  const auto most = static_cast<float>((p.max - p.min) / 255.0 / 254 * 2147483648.0);
  row.want = {want, scalar<float>(requantizes ? 0 : -most), scalar<float>(requantizes ? 7 : most)};
  return row;
}

}  // namespace

extern const OpCases kQuantizedMatMulWithCases{
    "quantized_matmul_with", [] {
      const char *plain = "QuantizedMatMulWithBias", *relu = "QuantizedMatMulWithBiasAndRelu",
                 *bytes = "QuantizedMatMulWithBiasAndReluAndRequantize";
      std::vector<OpCase> cases;
      cases.push_back(whole_bias({.op = plain}, false));
      cases.push_back(whole_bias({.op = bytes}, true));
      cases.push_back(whole_bias({.op = bytes, .m = 33, .k = 64, .n = 48, .min = 0}, true));
      for (const char* mode : {"MIN_FIRST", "SCALED"})
        for (const float min : {-1.0f, 0.0f}) {
          cases.push_back(float_bias({.op = plain, .mode = mode, .min = min}, false, false));
          cases.push_back(float_bias({.op = relu, .mode = mode, .min = min}, true, false));
          cases.push_back(float_bias({.op = plain, .mode = mode, .min = min, .transpose_b = true},
                                     false, false));
          cases.push_back(float_bias({.op = bytes, .mode = mode, .min = min}, true, true));
          cases.push_back(
              float_bias({.op = bytes, .mode = mode, .m = 40, .k = 70, .n = 33}, true, true));
        }
      return cases;
    }};

}  // namespace rill
