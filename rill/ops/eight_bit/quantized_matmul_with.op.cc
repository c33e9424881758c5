#include "rill/graph/op_decl.h"
#include "rill/ops/eight_bit/ranged_shape.h"
#include "rill/ops/math/matmul/matmul_parts.h"

namespace rill {
namespace {

Shapes quantized_matmul_with_shape(const ShapeCtx& c) {
  const PartialShape product = matrix_product_shape(c)[0], bias = c.vector(2);
  require(compatible(bias.dim(0), product.dim(1)),
          "Must provide as many biases as the product has ", "columns: ", bias, " vs. ", product);
  return with_scalar_range(c, product, 3);
}

}  // namespace

extern constexpr OpDecl kQuantizedMatMulWithBias{
    .name = "QuantizedMatMulWithBias",
    .doc =
        "QuantizedMatMul and the addition of a bias to each row; the second factor is symmetric "
        "around zero, the first one too or not, as input_quant_mode says.",
    .inputs = {"a: T1", "b: T2", "bias: Tbias", "min_a: float", "max_a: float", "min_b: float",
               "max_b: float"},
    .outputs = {"out: Toutput", "min_out: float", "max_out: float"},
    .attrs = {"T1: {qint8, quint8, qint32, qint16, quint16}",
              "T2: {qint8, quint8, qint32, qint16, quint16}", "Tbias: {float, qint32}",
              "Toutput: {qint8, quint8, qint32, qint16, quint16} = qint32",
              "transpose_a: bool = false", "transpose_b: bool = false",
              "input_quant_mode: {'MIN_FIRST', 'SCALED'} = 'MIN_FIRST'"},
    .traits = kPure,
    .shape = quantized_matmul_with_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kQuantizedMatMulWithBias));

extern constexpr OpDecl kQuantizedMatMulWithBiasAndRelu{
    .name = "QuantizedMatMulWithBiasAndRelu",
    .doc = "QuantizedMatMulWithBias, but not below zero.",
    .inputs = {"a: T1", "b: T2", "bias: float", "min_a: float", "max_a: float", "min_b: float",
               "max_b: float"},
    .outputs = {"out: Toutput", "min_out: float", "max_out: float"},
    .attrs = {"T1: {qint8, quint8, qint32, qint16, quint16}",
              "T2: {qint8, quint8, qint32, qint16, quint16}",
              "Toutput: {qint8, quint8, qint32, qint16, quint16} = qint32",
              "transpose_a: bool = false", "transpose_b: bool = false",
              "input_quant_mode: {'MIN_FIRST', 'SCALED'} = 'MIN_FIRST'"},
    .traits = kPure,
    .shape = quantized_matmul_with_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kQuantizedMatMulWithBiasAndRelu));

extern constexpr OpDecl kQuantizedMatMulWithBiasAndReluAndRequantize{
    .name = "QuantizedMatMulWithBiasAndReluAndRequantize",
    .doc = "QuantizedMatMulWithBias, but not below zero, in eight bits and a given range.",
    .inputs = {"a: T1", "b: T2", "bias: Tbias", "min_a: float", "max_a: float", "min_b: float",
               "max_b: float", "min_freezed_output: float", "max_freezed_output: float"},
    .outputs = {"out: Toutput", "min_out: float", "max_out: float"},
    .attrs = {"T1: {qint8, quint8, qint32, qint16, quint16}",
              "T2: {qint8, quint8, qint32, qint16, quint16}", "Tbias: {float, qint32}",
              "Toutput: {qint8, quint8, qint32, qint16, quint16} = quint8",
              "transpose_a: bool = false", "transpose_b: bool = false",
              "input_quant_mode: {'MIN_FIRST', 'SCALED'} = 'MIN_FIRST'"},
    .traits = kPure,
    .shape = quantized_matmul_with_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kQuantizedMatMulWithBiasAndReluAndRequantize));

}  // namespace rill
