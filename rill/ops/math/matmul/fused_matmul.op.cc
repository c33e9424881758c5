#include "rill/graph/op_decl.h"
#include "rill/ops/math/matmul/matmul_parts.h"
#include "rill/ops/math/matmul/product_cost.h"

namespace rill {

extern constexpr OpDecl kFusedMatMul{
    .name = "_FusedMatMul",
    .doc =
        "The product of two matrices with what `fused_ops` lists done to it: BiasAdd of args[0], "
        "then perhaps Relu, Relu6 or Elu.",
    .inputs = {"a: T", "b: T", "args: num_args * T"},
    .outputs = {"product: T"},
    .attrs = {"transpose_a: bool = false", "transpose_b: bool = false", "T: {float}",
              "num_args: int >= 0", "fused_ops: list(string) = []", "epsilon: float = 0.0001"},
    .traits = kPure,
    .shape = matrix_product_shape,
    .cost = product_flops,
    .grad = no_gradient,
};
static_assert(well_formed(kFusedMatMul));

}  // namespace rill
