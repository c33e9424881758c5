#include "rill/graph/op_decl.h"
#include "rill/ops/eight_bit/conv_with_shape.h"

namespace rill {
namespace {

Shapes quantized_conv_with_shape(const ShapeCtx& c) {
  return conv_with_shape(c, quantized_conv_shapes(c.op(), c.attrs(), c.input(0), c.input(1)));
}

}  // namespace

extern constexpr OpDecl kQuantizedConv2DPerChannel{
    .name = "QuantizedConv2DPerChannel",
    .doc = "QuantizedConv2D of a filter with a range for each channel of the result.",
    .inputs = {"input: Tinput", "filter: Tfilter", "min_input: float", "max_input: float",
               "min_filter: float", "max_filter: float"},
    .outputs = {"output: out_type", "min_output: float", "max_output: float"},
    .attrs = {"Tinput: {qint8, quint8, qint32, qint16, quint16}",
              "Tfilter: {qint8, quint8, qint32, qint16, quint16}",
              "out_type: {qint8, quint8, qint32, qint16, quint16} = qint32", "strides: list(int)",
              "padding: {'SAME', 'VALID'}", "dilations: list(int) = [1, 1, 1, 1]"},
    .traits = kPure,
    .shape = quantized_conv_with_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kQuantizedConv2DPerChannel));

extern constexpr OpDecl kQuantizedConv2DAndRelu{
    .name = "QuantizedConv2DAndRelu",
    .doc = "Conv2D of quantised images with a filter symmetric around zero, but not below zero.",
    .inputs = {"input: Tinput", "filter: Tfilter", "min_input: float", "max_input: float",
               "min_filter: float", "max_filter: float"},
    .outputs = {"output: out_type", "min_output: float", "max_output: float"},
    .attrs = {"Tinput: {qint8, quint8, qint32, qint16, quint16}",
              "Tfilter: {qint8, quint8, qint32, qint16, quint16}",
              "out_type: {qint8, quint8, qint32, qint16, quint16} = qint32", "strides: list(int)",
              "padding: {'SAME', 'VALID'}", "dilations: list(int) = [1, 1, 1, 1]",
              "padding_list: list(int) = []"},
    .traits = kPure,
    .shape = quantized_conv_with_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kQuantizedConv2DAndRelu));

extern constexpr OpDecl kQuantizedConv2DAndRequantize{
    .name = "QuantizedConv2DAndRequantize",
    .doc =
        "Conv2D of quantised images with a filter symmetric around zero, in eight bits and a given "
        "range.",
    .inputs = {"input: Tinput", "filter: Tfilter", "min_input: float", "max_input: float",
               "min_filter: float", "max_filter: float", "min_freezed_output: float",
               "max_freezed_output: float"},
    .outputs = {"output: out_type", "min_output: float", "max_output: float"},
    .attrs = {"Tinput: {qint8, quint8, qint32, qint16, quint16}",
              "Tfilter: {qint8, quint8, qint32, qint16, quint16}",
              "out_type: {qint8, quint8, qint32, qint16, quint16} = qint8", "strides: list(int)",
              "padding: {'SAME', 'VALID'}", "dilations: list(int) = [1, 1, 1, 1]",
              "padding_list: list(int) = []"},
    .traits = kPure,
    .shape = quantized_conv_with_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kQuantizedConv2DAndRequantize));

extern constexpr OpDecl kQuantizedConv2DAndReluAndRequantize{
    .name = "QuantizedConv2DAndReluAndRequantize",
    .doc = "QuantizedConv2DAndRelu in eight bits and a given range.",
    .inputs = {"input: Tinput", "filter: Tfilter", "min_input: float", "max_input: float",
               "min_filter: float", "max_filter: float", "min_freezed_output: float",
               "max_freezed_output: float"},
    .outputs = {"output: out_type", "min_output: float", "max_output: float"},
    .attrs = {"Tinput: {qint8, quint8, qint32, qint16, quint16}",
              "Tfilter: {qint8, quint8, qint32, qint16, quint16}",
              "out_type: {qint8, quint8, qint32, qint16, quint16} = quint8", "strides: list(int)",
              "padding: {'SAME', 'VALID'}", "dilations: list(int) = [1, 1, 1, 1]",
              "padding_list: list(int) = []"},
    .traits = kPure,
    .shape = quantized_conv_with_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kQuantizedConv2DAndReluAndRequantize));

extern constexpr OpDecl kQuantizedConv2DWithBias{
    .name = "QuantizedConv2DWithBias",
    .doc = "Conv2D of quantised images with a filter symmetric around zero, and a bias.",
    .inputs = {"input: Tinput", "filter: Tfilter", "bias: float", "min_input: float",
               "max_input: float", "min_filter: float", "max_filter: float"},
    .outputs = {"output: out_type", "min_output: float", "max_output: float"},
    .attrs = {"Tinput: {qint8, quint8, qint32, qint16, quint16}",
              "Tfilter: {qint8, quint8, qint32, qint16, quint16}",
              "out_type: {qint8, quint8, qint32, qint16, quint16} = qint32", "strides: list(int)",
              "padding: {'SAME', 'VALID'}", "dilations: list(int) = [1, 1, 1, 1]",
              "padding_list: list(int) = []"},
    .traits = kPure,
    .shape = quantized_conv_with_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kQuantizedConv2DWithBias));

extern constexpr OpDecl kQuantizedConv2DWithBiasAndRelu{
    .name = "QuantizedConv2DWithBiasAndRelu",
    .doc = "QuantizedConv2DWithBias, but not below zero.",
    .inputs = {"input: Tinput", "filter: Tfilter", "bias: float", "min_input: float",
               "max_input: float", "min_filter: float", "max_filter: float"},
    .outputs = {"output: out_type", "min_output: float", "max_output: float"},
    .attrs = {"Tinput: {qint8, quint8, qint32, qint16, quint16}",
              "Tfilter: {qint8, quint8, qint32, qint16, quint16}",
              "out_type: {qint8, quint8, qint32, qint16, quint16} = qint32", "strides: list(int)",
              "padding: {'SAME', 'VALID'}", "dilations: list(int) = [1, 1, 1, 1]",
              "padding_list: list(int) = []"},
    .traits = kPure,
    .shape = quantized_conv_with_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kQuantizedConv2DWithBiasAndRelu));

extern constexpr OpDecl kQuantizedConv2DWithBiasAndRequantize{
    .name = "QuantizedConv2DWithBiasAndRequantize",
    .doc = "QuantizedConv2DWithBias in eight bits and a given range.",
    .inputs = {"input: Tinput", "filter: Tfilter", "bias: Tbias", "min_input: float",
               "max_input: float", "min_filter: float", "max_filter: float",
               "min_freezed_output: float", "max_freezed_output: float"},
    .outputs = {"output: out_type", "min_output: float", "max_output: float"},
    .attrs = {"Tinput: {qint8, quint8, qint32, qint16, quint16}",
              "Tfilter: {qint8, quint8, qint32, qint16, quint16}", "Tbias: {float, qint32}",
              "out_type: {qint8, quint8, qint32, qint16, quint16} = qint8", "strides: list(int)",
              "padding: {'SAME', 'VALID'}", "dilations: list(int) = [1, 1, 1, 1]",
              "padding_list: list(int) = []"},
    .traits = kPure,
    .shape = quantized_conv_with_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kQuantizedConv2DWithBiasAndRequantize));

extern constexpr OpDecl kQuantizedConv2DWithBiasAndReluAndRequantize{
    .name = "QuantizedConv2DWithBiasAndReluAndRequantize",
    .doc = "QuantizedConv2DWithBias, but not below zero, in eight bits and a given range.",
    .inputs = {"input: Tinput", "filter: Tfilter", "bias: Tbias", "min_input: float",
               "max_input: float", "min_filter: float", "max_filter: float",
               "min_freezed_output: float", "max_freezed_output: float"},
    .outputs = {"output: out_type", "min_output: float", "max_output: float"},
    .attrs = {"Tinput: {qint8, quint8, qint32, qint16, quint16}",
              "Tfilter: {qint8, quint8, qint32, qint16, quint16}", "Tbias: {float, qint32}",
              "out_type: {qint8, quint8, qint32, qint16, quint16} = quint8", "strides: list(int)",
              "padding: {'SAME', 'VALID'}", "dilations: list(int) = [1, 1, 1, 1]",
              "padding_list: list(int) = []"},
    .traits = kPure,
    .shape = quantized_conv_with_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kQuantizedConv2DWithBiasAndReluAndRequantize));

}  // namespace rill
