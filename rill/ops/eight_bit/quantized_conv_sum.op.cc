#include "rill/graph/op_decl.h"
#include "rill/ops/eight_bit/conv_with_shape.h"

namespace rill {
namespace {

Shapes quantized_conv_sum_shape(const ShapeCtx& c) {
  Shapes shapes =
      conv_with_shape(c, quantized_conv_shapes(c.op(), c.attrs(), c.input(0), c.input(1)));
  shapes[0] = merge_shapes(shapes[0], c.input(input_named(c.op(), "summand")));
  return shapes;
}

}  // namespace

extern constexpr OpDecl kQuantizedConv2DWithBiasSumAndRelu{
    .name = "QuantizedConv2DWithBiasSumAndRelu",
    .doc = "QuantizedConv2DWithBias and the addition of another tensor, but not below zero.",
    .inputs = {"input: Tinput", "filter: Tfilter", "bias: float", "min_input: float",
               "max_input: float", "min_filter: float", "max_filter: float", "summand: float"},
    .outputs = {"output: out_type", "min_output: float", "max_output: float"},
    .attrs = {"Tinput: {qint8, quint8, qint32, qint16, quint16}",
              "Tfilter: {qint8, quint8, qint32, qint16, quint16}",
              "out_type: {qint8, quint8, qint32, qint16, quint16} = qint32", "strides: list(int)",
              "padding: {'SAME', 'VALID'}", "dilations: list(int) = [1, 1, 1, 1]",
              "padding_list: list(int) = []"},
    .traits = kPure,
    .shape = quantized_conv_sum_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kQuantizedConv2DWithBiasSumAndRelu));

extern constexpr OpDecl kQuantizedConv2DWithBiasSumAndReluAndRequantize{
    .name = "QuantizedConv2DWithBiasSumAndReluAndRequantize",
    .doc =
        "QuantizedConv2DWithBias and the addition of another quantised tensor, but not below zero, "
        "in eight bits and a given range.",
    .inputs = {"input: Tinput", "filter: Tfilter", "bias: Tbias", "min_input: float",
               "max_input: float", "min_filter: float", "max_filter: float",
               "min_freezed_output: float", "max_freezed_output: float", "summand: Tsummand",
               "min_summand: float", "max_summand: float"},
    .outputs = {"output: out_type", "min_output: float", "max_output: float"},
    .attrs = {"Tinput: {qint8, quint8, qint32, qint16, quint16}",
              "Tfilter: {qint8, quint8, qint32, qint16, quint16}", "Tbias: {float, qint32}",
              "Tsummand: {qint8, quint8, qint32, qint16, quint16}",
              "out_type: {qint8, quint8, qint32, qint16, quint16} = quint8", "strides: list(int)",
              "padding: {'SAME', 'VALID'}", "dilations: list(int) = [1, 1, 1, 1]",
              "padding_list: list(int) = []"},
    .traits = kPure,
    .shape = quantized_conv_sum_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kQuantizedConv2DWithBiasSumAndReluAndRequantize));

extern constexpr OpDecl kQuantizedConv2DWithBiasSignedSumAndReluAndRequantize{
    .name = "QuantizedConv2DWithBiasSignedSumAndReluAndRequantize",
    .doc = "QuantizedConv2DWithBiasSumAndReluAndRequantize for numbers to add that have a sign.",
    .inputs = {"input: Tinput", "filter: Tfilter", "bias: Tbias", "min_input: float",
               "max_input: float", "min_filter: float", "max_filter: float",
               "min_freezed_output: float", "max_freezed_output: float", "summand: Tsummand",
               "min_summand: float", "max_summand: float"},
    .outputs = {"output: out_type", "min_output: float", "max_output: float"},
    .attrs = {"Tinput: {qint8, quint8, qint32, qint16, quint16}",
              "Tfilter: {qint8, quint8, qint32, qint16, quint16}", "Tbias: {float, qint32}",
              "Tsummand: {qint8, quint8, qint32, qint16, quint16}",
              "out_type: {qint8, quint8, qint32, qint16, quint16} = quint8", "strides: list(int)",
              "padding: {'SAME', 'VALID'}", "dilations: list(int) = [1, 1, 1, 1]",
              "padding_list: list(int) = []"},
    .traits = kPure,
    .shape = quantized_conv_sum_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kQuantizedConv2DWithBiasSignedSumAndReluAndRequantize));

}  // namespace rill
