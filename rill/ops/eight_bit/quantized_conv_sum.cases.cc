#include <cmath>

#include "tests/optest/op_case.h"

// TensorFlow computes these through oneDNN alone; version 2.15 ends the process over the last two,
// and over the first with constants. So they are compared with floats here: the numbers that bytes
// stand for are convolved, added and rounded to the levels of the result.
namespace rill {
namespace {

using Numbers = std::vector<std::int64_t>;

constexpr std::int64_t kChannels = 5;
const Shape kImages{1, 3, 4, kChannels}, kFilter{1, 1, kChannels, kChannels};

struct ConvSumRanges {
  float input = 2.5f, filter = 1, result = 5, summand = 3;
};

Tensor symmetric_bytes(DType type, const Shape& shape, std::uint64_t seed) {
  const double low = type == DType::qu8 ? 0 : -127;
  return random(type, shape, seed, low, 128 + (type == DType::qu8 ? 128 : 0));
}

double number(const Tensor& t, std::int64_t i, float range) {
  return t.dtype() == DType::qu8 ? t.data<quint8>()[i].value * range / 255.0
                                 : t.data<qint8>()[i].value * range / 127.0;
}

// One pixel of images, times the column of a filter of one pixel that makes channel i % channels.
double conv_at(const Tensor& images, const Tensor& filter, std::int64_t i, const ConvSumRanges& r) {
  double sum = 0;
  for (std::int64_t c = 0; c < kChannels; ++c)
    sum += number(images, i / kChannels * kChannels + c, r.input) *
           number(filter, c * kChannels + i % kChannels, r.filter);
  return sum;
}

OpCase byte_sum(const char* op, DType summand_type, const ConvSumRanges& r) {
  const Tensor images = symmetric_bytes(DType::qu8, kImages, 1),
               filter = symmetric_bytes(DType::qi8, kFilter, 2),
               bias = random(DType::f32, {kChannels}, 3, -2, 2),
               summand = symmetric_bytes(summand_type, kImages, 4);
  OpCase row{
      .op = op,
      .in = {images, filter, bias, scalar<float>(0), scalar<float>(r.input),
             scalar<float>(-r.filter), scalar<float>(r.filter), scalar<float>(0),
             scalar<float>(r.result), summand, scalar<float>(-r.summand), scalar<float>(r.summand)},
      .attrs = {{"strides", Numbers{1, 1, 1, 1}}, {"padding", std::string("SAME")}}};
  const Tensor want(DType::qu8, kImages);
  for (std::int64_t i = 0; i < want.element_count(); ++i) {
    const double sum = bias.data<float>()[i % kChannels] + number(summand, i, r.summand) +
                       conv_at(images, filter, i, r);
    const double level = std::nearbyint(std::max(sum, 0.0) / r.result * 255);
    want.data<quint8>()[i].value = static_cast<std::uint8_t>(std::min(level, 255.0));
  }
  row.want = {want, scalar<float>(0), scalar<float>(r.result)};
  return row;
}

OpCase float_sum(const ConvSumRanges& r) {
  const Tensor images = symmetric_bytes(DType::qu8, kImages, 1),
               filter = symmetric_bytes(DType::qi8, kFilter, 2),
               bias = random(DType::f32, {kChannels}, 3, -2, 2),
               summand = random(DType::f32, kImages, 4, -3, 3);
  OpCase row{.op = "QuantizedConv2DWithBiasSumAndRelu",
             .in = {images, filter, bias, scalar<float>(0), scalar<float>(r.input),
                    scalar<float>(-r.filter), scalar<float>(r.filter), summand},
             .attrs = {{"strides", Numbers{1, 1, 1, 1}}, {"padding", std::string("SAME")}}};
  const double step = r.input / 255.0 * (r.filter / 127.0);
  const Tensor want(DType::qi32, kImages);
  for (std::int64_t i = 0; i < want.element_count(); ++i) {
    const double sum = bias.data<float>()[i % kChannels] + summand.data<float>()[i] +
                       conv_at(images, filter, i, r);
    want.data<qint32>()[i].value =
        static_cast<std::int32_t>(std::nearbyint(std::max(sum, 0.0) / step));
  }
  const auto most = static_cast<float>(step * 2147483648.0);
  row.want = {want, scalar<float>(-most), scalar<float>(most)};
  return row;
}

}  // namespace

extern const OpCases kQuantizedConvSumCases{
    "quantized_conv_sum", [] {
      std::vector<OpCase> cases;
      for (const ConvSumRanges& r :
           {ConvSumRanges{}, ConvSumRanges{1, 3, 2, 0.5f}, ConvSumRanges{20, 1, 30, 7}}) {
        cases.push_back(float_sum(r));
        cases.push_back(byte_sum("QuantizedConv2DWithBiasSumAndReluAndRequantize", DType::qu8, r));
        cases.push_back(
            byte_sum("QuantizedConv2DWithBiasSignedSumAndReluAndRequantize", DType::qi8, r));
      }
      return cases;
    }};

}  // namespace rill
