#include "rill/graph/op_decl.h"
#include "rill/ops/eight_bit/ranged_shape.h"
#include "rill/ops/math/matmul/matmul_parts.h"

namespace rill {
namespace {

Shapes quantized_matmul_shape(const ShapeCtx& c) {
  return with_scalar_range(c, matrix_product_shape(c)[0], 2);
}

}  // namespace

extern constexpr OpDecl kQuantizedMatMul{
    .name = "QuantizedMatMul",
    .doc =
        "The product of two matrices of quantised numbers, either of which may be transposed "
        "first; the result has 32 bits, and the range in which all products fit.",
    .inputs = {"a: T1", "b: T2", "min_a: float", "max_a: float", "min_b: float", "max_b: float"},
    .outputs = {"out: Toutput", "min_out: float", "max_out: float"},
    .attrs = {"T1: {qint8, quint8, qint32, qint16, quint16}",
              "T2: {qint8, quint8, qint32, qint16, quint16}",
              "Toutput: {qint8, quint8, qint32, qint16, quint16} = qint32",
              "transpose_a: bool = false", "transpose_b: bool = false",
              "Tactivation: {qint8, quint8, qint32, qint16, quint16} = quint8"},
    .traits = kPure,
    .shape = quantized_matmul_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kQuantizedMatMul));

}  // namespace rill
