#include "rill/graph/op_decl.h"
#include "rill/ops/math/matmul/matmul_parts.h"
#include "rill/ops/math/matmul/product_cost.h"
#include "rill/ops/nn/conv/conv_cost.h"
#include "rill/ops/nn/conv/conv_shape.h"

namespace rill {
namespace {

Shapes prepacked_conv_shape(const ShapeCtx& c) {
  return {ConvShapes(c.op(), c.attrs(), c.input(0), c.input(1)).results()};
}

}  // namespace

extern constexpr OpDecl kPrepackedMatMul{
    .name = "_PrepackedMatMul",
    .doc =
        "MatMul of bfloat16; what is made of b is kept while it stays the same. Graph rewriting "
        "makes it.",
    .inputs = {"a: T", "b: T"},
    .outputs = {"product: T"},
    .attrs = {"T: {bfloat16}", "transpose_a: bool = false", "transpose_b: bool = false"},
    .traits = kPure,
    .shape = matrix_product_shape,
    .cost = product_flops,
    .grad = no_gradient,
};
static_assert(well_formed(kPrepackedMatMul));

extern constexpr OpDecl kPrepackedConv2D{
    .name = "_PrepackedConv2D",
    .doc =
        "Conv2D of bfloat16 with channels last; what is made of the filter is kept while it stays "
        "the same. Graph rewriting makes it.",
    .inputs = {"input: T", "filter: T"},
    .outputs = {"output: T"},
    .attrs = {"T: {bfloat16}", "strides: list(int)", "padding: {'SAME', 'VALID', 'EXPLICIT'}",
              "explicit_paddings: list(int) = []", "data_format: {'NHWC'} = 'NHWC'",
              "dilations: list(int) = [1, 1, 1, 1]"},
    .traits = kPure,
    .shape = prepacked_conv_shape,
    .cost = conv_flops,
    .grad = no_gradient,
};
static_assert(well_formed(kPrepackedConv2D));

}  // namespace rill
