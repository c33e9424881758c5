#include "rill/graph/op_decl.h"
#include "rill/ops/eight_bit/conv_with_shape.h"

namespace rill {
namespace {

Shapes quantized_depthwise_shape(const ShapeCtx& c) {
  return conv_with_shape(c, quantized_depthwise_shapes(c.op(), c.attrs(), c.input(0), c.input(1)));
}

}  // namespace

extern constexpr OpDecl kQuantizedDepthwiseConv2D{
    .name = "QuantizedDepthwiseConv2D",
    .doc = "DepthwiseConv2dNative of quantised images with a filter symmetric around zero.",
    .inputs = {"input: Tinput", "filter: Tfilter", "min_input: float", "max_input: float",
               "min_filter: float", "max_filter: float"},
    .outputs = {"output: out_type", "min_output: float", "max_output: float"},
    .attrs = {"Tinput: {qint8, quint8, qint32, qint16, quint16}",
              "Tfilter: {qint8, quint8, qint32, qint16, quint16}",
              "out_type: {qint8, quint8, qint32, qint16, quint16} = qint32", "strides: list(int)",
              "padding: {'SAME', 'VALID'}", "dilations: list(int) = [1, 1, 1, 1]"},
    .traits = kPure,
    .shape = quantized_depthwise_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kQuantizedDepthwiseConv2D));

extern constexpr OpDecl kQuantizedDepthwiseConv2DWithBias{
    .name = "QuantizedDepthwiseConv2DWithBias",
    .doc = "QuantizedDepthwiseConv2D and a bias.",
    .inputs = {"input: Tinput", "filter: Tfilter", "bias: float", "min_input: float",
               "max_input: float", "min_filter: float", "max_filter: float"},
    .outputs = {"output: out_type", "min_output: float", "max_output: float"},
    .attrs = {"Tinput: {qint8, quint8, qint32, qint16, quint16}",
              "Tfilter: {qint8, quint8, qint32, qint16, quint16}",
              "out_type: {qint8, quint8, qint32, qint16, quint16} = qint32", "strides: list(int)",
              "padding: {'SAME', 'VALID'}", "dilations: list(int) = [1, 1, 1, 1]"},
    .traits = kPure,
    .shape = quantized_depthwise_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kQuantizedDepthwiseConv2DWithBias));

extern constexpr OpDecl kQuantizedDepthwiseConv2DWithBiasAndRelu{
    .name = "QuantizedDepthwiseConv2DWithBiasAndRelu",
    .doc = "QuantizedDepthwiseConv2D and a bias, but not below zero.",
    .inputs = {"input: Tinput", "filter: Tfilter", "bias: float", "min_input: float",
               "max_input: float", "min_filter: float", "max_filter: float"},
    .outputs = {"output: out_type", "min_output: float", "max_output: float"},
    .attrs = {"Tinput: {qint8, quint8, qint32, qint16, quint16}",
              "Tfilter: {qint8, quint8, qint32, qint16, quint16}",
              "out_type: {qint8, quint8, qint32, qint16, quint16} = qint32", "strides: list(int)",
              "padding: {'SAME', 'VALID'}", "dilations: list(int) = [1, 1, 1, 1]"},
    .traits = kPure,
    .shape = quantized_depthwise_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kQuantizedDepthwiseConv2DWithBiasAndRelu));

extern constexpr OpDecl kQuantizedDepthwiseConv2DWithBiasAndReluAndRequantize{
    .name = "QuantizedDepthwiseConv2DWithBiasAndReluAndRequantize",
    .doc =
        "QuantizedDepthwiseConv2D and a bias, but not below zero, in eight bits and a given range.",
    .inputs = {"input: Tinput", "filter: Tfilter", "bias: Tbias", "min_input: float",
               "max_input: float", "min_filter: float", "max_filter: float",
               "min_freezed_output: float", "max_freezed_output: float"},
    .outputs = {"output: out_type", "min_output: float", "max_output: float"},
    .attrs = {"Tinput: {qint8, quint8, qint32, qint16, quint16}",
              "Tfilter: {qint8, quint8, qint32, qint16, quint16}", "Tbias: {float, qint32}",
              "out_type: {qint8, quint8, qint32, qint16, quint16} = quint8", "strides: list(int)",
              "padding: {'SAME', 'VALID'}", "dilations: list(int) = [1, 1, 1, 1]"},
    .traits = kPure,
    .shape = quantized_depthwise_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kQuantizedDepthwiseConv2DWithBiasAndReluAndRequantize));

}  // namespace rill
