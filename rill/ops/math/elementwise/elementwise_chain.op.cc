#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"
#include "rill/ops/math/elementwise/chain_cost.h"

namespace rill {
namespace {

// Sizes are found with the values: a stage may be a sum to a shape that is itself computed.
Shapes unknown_shapes(const ShapeCtx& c) {
  return Shapes(static_cast<std::size_t>(c.output_count()));
}

}  // namespace

extern constexpr OpDecl kElementwiseChain{
    .name = "_ElementwiseChain",
    .doc =
        "Element-wise ops that read each other's results. Values are numbered: first the inputs, "
        "then the result of each of op_names. Stage i reads operands[2i] and operands[2i + 1] (-1: "
        "none); `results` are the values that leave the chain.",
    .inputs = {"inputs: Tin"},
    .outputs = {"outputs: N * float"},
    .attrs = {"Tin: list(type) >= 1", "N: int >= 1", "op_names: list(string) >= 1",
              "operands: list(int)", "results: list(int)"},
    .traits = kPure | kInPlace,
    .shape = unknown_shapes,
    .cost = chain_flops,
    .grad = no_gradient,
};
static_assert(well_formed(kElementwiseChain));

}  // namespace rill
