#include "rill/graph/op_decl.h"
#include "rill/ops/math/matmul/matmul_parts.h"
#include "rill/ops/math/matmul/product_cost.h"
#include "rill/ops/nn/epilogue/epilogue_shape.h"

namespace rill {
namespace {

Shapes matmul_epilogue_shape(const ShapeCtx& c) {
  return {epilogue_shape(c, matrix_product_shape(c)[0], 2)};
}

}  // namespace

extern constexpr OpDecl kMatMulEpilogue{
    .name = "_MatMulEpilogue",
    .doc =
        "The product of two matrices with what `epilogue` lists done to it. `prepack`: what is "
        "made of b "
        "and the arguments is kept while these stay the same. `lowered`: a and b may be rounded to "
        "bfloat16. Graph rewriting makes it.",
    .inputs = {"a: T", "b: T", "args: num_args * T"},
    .outputs = {"product: T"},
    .attrs = {"T: {float}", "num_args: int >= 0", "transpose_a: bool = false",
              "transpose_b: bool = false", "epilogue: list(string) = []", "epsilon: float = 0.0001",
              "alpha: float = 0.2", "prepack: bool = false", "lowered: bool = false"},
    .traits = kPure,
    .shape = matmul_epilogue_shape,
    .cost = product_flops,
    .grad = no_gradient,
};
static_assert(well_formed(kMatMulEpilogue));

}  // namespace rill
