#include "tests/optest/op_case.h"

// TensorFlow computes these through oneDNN alone, which tools/goldens.py switches on for them.
// Filters with a range for each channel are asked about where results are bytes: where they are 32
// bits, version 2.15 scales the channels to one range but reports one for each, and 1.15 did not.
namespace rill {
namespace {

using Numbers = std::vector<std::int64_t>;

Tensor all_bytes(DType type, const Shape& shape, std::uint64_t seed) {
  const double low = type == DType::qu8 ? 0 : -128;
  return random(type, shape, seed, low, low + 256);
}

struct Conv {
  const char* op;
  Shape images = {2, 5, 6, 3}, filter = {3, 2, 3, 4};
  DType input = DType::qu8;
  bool bias = false, word_bias = false, requantizes = false;
  std::int64_t stride = 1;
  const char* padding = "SAME";
  float min = -1.5f, max = 2.5f;
  bool by_channel = false;
  Numbers padding_list = {};
  std::int64_t dilation = 1;
};

OpCase conv_with(const Conv& c) {
  OpCase row{.op = c.op,
             .in = {all_bytes(c.input, c.images, 1), all_bytes(DType::qi8, c.filter, 2)},
             .attrs = {{"strides", Numbers{1, c.stride, c.stride, 1}},
                       {"padding", std::string(c.padding)}}};
  const std::int64_t channels = c.filter.dim(3);
  if (c.bias)
    row.in.emplace_back(c.word_bias ? random(DType::qi32, {channels}, 3, -9000, 9000)
                                    : random(DType::f32, {channels}, 3, -2, 2));
  for (const float end : {c.min, c.max}) row.in.emplace_back(scalar<float>(end));
  for (const double sign : {-1.0, 0.75})
    row.in.emplace_back(c.by_channel ? sequence<float>({channels}, sign, sign / 3)
                                     : scalar<float>(static_cast<float>(sign)));
  if (c.requantizes)
    for (const float end : {-4.0f, 6.0f}) row.in.emplace_back(scalar<float>(end));
  if (c.dilation != 1) row.attrs.emplace("dilations", Numbers{1, c.dilation, c.dilation, 1});
  if (!c.padding_list.empty()) row.attrs.emplace("padding_list", c.padding_list);
  return row;
}

// Results of 32 bits by channel: sums as they are, ranges by channel.
OpCase conv_by_channel() {
  OpCase row{
      .op = "QuantizedConv2DPerChannel",
      .in = {tensor<quint8>({1, 1, 2, 2}, {1, 2, 255, 10}),
             tensor<qint8>({1, 1, 2, 2}, {1, -2, 3, 127}), scalar<float>(0), scalar<float>(255),
             tensor<float>({2}, {-127, -12.7f}), tensor<float>({2}, {127, 12.7f})},
      .attrs = {{"strides", Numbers{1, 1, 1, 1}}, {"padding", std::string("VALID")}}};
  row.want = {tensor<qint32>({1, 1, 2, 2}, {7, 252, 285, 760}),
              tensor<float>({2}, {-2147483648.0f, -214748364.8f}),
              tensor<float>({2}, {2147483648.0f, 214748364.8f})};
  return row;
}

}  // namespace

extern const OpCases kQuantizedConvWithCases{
    "quantized_conv_with", [] {
      struct Kind {
        const char* op;
        bool bias, requantizes, takes_signed;
      };
      const Kind kinds[] = {{"QuantizedConv2D", false, false, false},
                            {"QuantizedConv2DAndRelu", false, false, false},
                            {"QuantizedConv2DAndRequantize", false, true, false},
                            {"QuantizedConv2DAndReluAndRequantize", false, true, false},
                            {"QuantizedConv2DWithBias", true, false, true},
                            {"QuantizedConv2DWithBiasAndRelu", true, false, true},
                            {"QuantizedConv2DWithBiasAndRequantize", true, true, true},
                            {"QuantizedConv2DWithBiasAndReluAndRequantize", true, true, true}};
      std::vector<OpCase> cases;
      for (const Kind& kind : kinds) {
        const Conv plain{.op = kind.op, .bias = kind.bias, .requantizes = kind.requantizes};
        cases.push_back(conv_with(plain));
        Conv other = plain;
        other.stride = 2;
        other.padding = "VALID";
        other.min = 0;
        cases.push_back(conv_with(other));
        other = plain;
        other.images = {1, 8, 8, 32};
        other.filter = {3, 3, 32, 20};
        // Where a bias is added to sums that stay 32 bits, version 2.15 scales them down and up
        // again in floats, and large ones are one off now and then.
        if (!kind.bias || kind.requantizes) cases.push_back(conv_with(other));
        other = plain;
        other.input = DType::qi8;
        if (kind.takes_signed) cases.push_back(conv_with(other));
        other = plain;
        other.word_bias = true;
        if (kind.bias && kind.requantizes) cases.push_back(conv_with(other));
        other = plain;
        other.by_channel = true;
        if (kind.bias && kind.requantizes) cases.push_back(conv_with(other));
        other = plain;
        other.padding = "VALID";
        other.padding_list = {0, 0, 2, 1, 1, 2, 0, 0};
        if (kind.op != std::string("QuantizedConv2D")) cases.push_back(conv_with(other));
      }
      cases.push_back(conv_with({.op = "QuantizedConv2DAndRelu", .dilation = 2}));
      cases.push_back(conv_with({.op = "QuantizedConv2DAndRelu",
                                 .images = {1, 9, 9, 32},
                                 .filter = {3, 3, 32, 20},
                                 .padding = "VALID",
                                 .dilation = 3}));
      cases.push_back(conv_with({.op = "QuantizedConv2DPerChannel"}));
      cases.push_back(conv_by_channel());
      return cases;
    }};

}  // namespace rill
