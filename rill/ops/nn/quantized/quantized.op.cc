#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"
#include "rill/ops/nn/conv/conv_shape.h"
#include "rill/ops/nn/pool/pool_shape.h"

namespace rill {
namespace {

// A result and its range; the inputs from `first` on are ranges.
Shapes with_range(const ShapeCtx& c, PartialShape result, int first) {
  for (int i = first; i < c.input_count(); ++i) (void)c.scalar(i);
  return {std::move(result), PartialShape::scalar(), PartialShape::scalar()};
}

Shapes quantized_conv_shape(const ShapeCtx& c) {
  return with_range(c, ConvShapes(c.op(), c.attrs(), c.input(0), c.input(1)).results(), 2);
}

Shapes quantized_pool_shape(const ShapeCtx& c) {
  return with_range(c, PoolWindows(c.op(), c.attrs(), c.input(0)).results(c.input(0)), 1);
}

Shapes quantized_relu_shape(const ShapeCtx& c) { return with_range(c, c.input(0), 1); }

}  // namespace

extern constexpr OpDecl kQuantizedConv2D{
    .name = "QuantizedConv2D",
    .doc =
        "Conv2D of quantised images with a quantised filter; the result has 32 bits, and the range "
        "in which all products fit.",
    .inputs = {"input: Tinput", "filter: Tfilter", "min_input: float", "max_input: float",
               "min_filter: float", "max_filter: float"},
    .outputs = {"output: out_type", "min_output: float", "max_output: float"},
    .attrs = {"Tinput: {qint8, quint8, qint32, qint16, quint16}",
              "Tfilter: {qint8, quint8, qint32, qint16, quint16}",
              "out_type: {qint8, quint8, qint32, qint16, quint16} = qint32", "strides: list(int)",
              "padding: {'SAME', 'VALID'}", "dilations: list(int) = [1, 1, 1, 1]"},
    .traits = kPure,
    .shape = quantized_conv_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kQuantizedConv2D));

extern constexpr OpDecl kQuantizedMaxPool{
    .name = "QuantizedMaxPool",
    .doc = "The largest element of each window of quantised images, in their range.",
    .inputs = {"input: T", "min_input: float", "max_input: float"},
    .outputs = {"output: T", "min_output: float", "max_output: float"},
    .attrs = {"T: {qint8, quint8, qint32, qint16, quint16}", "ksize: list(int)",
              "strides: list(int)", "padding: {'SAME', 'VALID'}"},
    .traits = kPure,
    .shape = quantized_pool_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kQuantizedMaxPool));

extern constexpr OpDecl kQuantizedAvgPool{
    .name = "QuantizedAvgPool",
    .doc = "The mean of each window of quantised images, rounded down, in their range.",
    .inputs = {"input: T", "min_input: float", "max_input: float"},
    .outputs = {"output: T", "min_output: float", "max_output: float"},
    .attrs = {"T: {qint8, quint8, qint32, qint16, quint16}", "ksize: list(int)",
              "strides: list(int)", "padding: {'SAME', 'VALID'}"},
    .traits = kPure,
    .shape = quantized_pool_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kQuantizedAvgPool));

extern constexpr OpDecl kQuantizedRelu{
    .name = "QuantizedRelu",
    .doc = "Quantised numbers, but not below zero, in their range.",
    .inputs = {"features: Tinput", "min_features: float", "max_features: float"},
    .outputs = {"activations: out_type", "min_activations: float", "max_activations: float"},
    .attrs = {"Tinput: {qint8, quint8, qint32, qint16, quint16}",
              "out_type: {qint8, quint8, qint32, qint16, quint16} = quint8"},
    .traits = kPure,
    .shape = quantized_relu_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kQuantizedRelu));

extern constexpr OpDecl kQuantizedRelu6{
    .name = "QuantizedRelu6",
    .doc = "Quantised numbers, but not below zero nor above six, in their range.",
    .inputs = {"features: Tinput", "min_features: float", "max_features: float"},
    .outputs = {"activations: out_type", "min_activations: float", "max_activations: float"},
    .attrs = {"Tinput: {qint8, quint8, qint32, qint16, quint16}",
              "out_type: {qint8, quint8, qint32, qint16, quint16} = quint8"},
    .traits = kPure,
    .shape = quantized_relu_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kQuantizedRelu6));

extern constexpr OpDecl kQuantizedReluX{
    .name = "QuantizedReluX",
    .doc = "Quantised numbers, but not below zero nor above max_value, in their range.",
    .inputs = {"features: Tinput", "max_value: float", "min_features: float",
               "max_features: float"},
    .outputs = {"activations: out_type", "min_activations: float", "max_activations: float"},
    .attrs = {"Tinput: {qint8, quint8, qint32, qint16, quint16}",
              "out_type: {qint8, quint8, qint32, qint16, quint16} = quint8"},
    .traits = kPure,
    .shape = quantized_relu_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kQuantizedReluX));

}  // namespace rill
