#include "rill/graph/op_decl.h"
#include "rill/ops/eight_bit/ranged_shape.h"

namespace rill {
namespace {

Shapes quantized_binary_shape(const ShapeCtx& c) {
  return with_scalar_range(c, broadcast_inputs(c)[0], 2);
}

Shapes quantized_bias_add_shape(const ShapeCtx& c) {
  const PartialShape &input = c.input(0), &bias = c.input(1);
  require(!input.has_rank() || input.rank() >= 2,
          when_run("Input tensor must be at least 2D: ", input),
          when_built("Shape must be at least rank 2 but is rank ", input.rank()));
  require(!bias.has_rank() || bias.rank() == 1, when_run("Biases must be 1D: ", bias),
          when_built("Shape must be rank 1 but is rank ", bias.rank()));
  if (!input.has_rank() || !bias.has_rank()) return with_scalar_range(c, input, 2);
  const int last = input.rank() - 1;
  require(compatible(input.dim(last), bias.dim(0)),
          when_run("Must provide as many biases as the last dimension of the input tensor: ", bias,
                   " vs. ", input),
          when_built("Dimensions must be equal, but are ", input.dim(last), " and ", bias.dim(0)));
  return with_scalar_range(c, input.with_dim(last, merge_dim(input.dim(last), bias.dim(0))), 2);
}

}  // namespace

extern constexpr OpDecl kQuantizedAdd{
    .name = "QuantizedAdd",
    .doc = "The sum of quantised numbers, which may be of different ranges.",
    .inputs = {"x: T1", "y: T2", "min_x: float", "max_x: float", "min_y: float", "max_y: float"},
    .outputs = {"z: Toutput", "min_z: float", "max_z: float"},
    .attrs = {"T1: {qint8, quint8, qint32, qint16, quint16}",
              "T2: {qint8, quint8, qint32, qint16, quint16}",
              "Toutput: {qint8, quint8, qint32, qint16, quint16} = qint32"},
    .traits = kPure,
    .shape = quantized_binary_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kQuantizedAdd));

extern constexpr OpDecl kQuantizedMul{
    .name = "QuantizedMul",
    .doc = "The product of quantised numbers, in the range in which all products fit.",
    .inputs = {"x: T1", "y: T2", "min_x: float", "max_x: float", "min_y: float", "max_y: float"},
    .outputs = {"z: Toutput", "min_z: float", "max_z: float"},
    .attrs = {"T1: {qint8, quint8, qint32, qint16, quint16}",
              "T2: {qint8, quint8, qint32, qint16, quint16}",
              "Toutput: {qint8, quint8, qint32, qint16, quint16} = qint32"},
    .traits = kPure,
    .shape = quantized_binary_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kQuantizedMul));

extern constexpr OpDecl kQuantizedBiasAdd{
    .name = "QuantizedBiasAdd",
    .doc = "Adds a quantised vector along the last dimension of a quantised tensor.",
    .inputs = {"input: T1", "bias: T2", "min_input: float", "max_input: float", "min_bias: float",
               "max_bias: float"},
    .outputs = {"output: out_type", "min_out: float", "max_out: float"},
    .attrs = {"T1: {qint8, quint8, qint32, qint16, quint16}",
              "T2: {qint8, quint8, qint32, qint16, quint16}",
              "out_type: {qint8, quint8, qint32, qint16, quint16}"},
    .traits = kPure,
    .shape = quantized_bias_add_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kQuantizedBiasAdd));

}  // namespace rill
