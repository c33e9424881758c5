#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

Shapes replicated_output_shape(const ShapeCtx& c) {
  return Shapes(static_cast<std::size_t>(c.output_count()), c.input(0));
}

}  // namespace

// Graphs that were written for TPUs have these around what every core runs. There is no kernel for
// them: such a graph can be loaded, looked at and cut, and the parts without them run.

extern constexpr OpDecl kTPUReplicatedInput{
    .name = "TPUReplicatedInput",
    .doc = "One of its inputs for each core that runs what follows.",
    .inputs = {"inputs: N * T"},
    .outputs = {"output: T"},
    .attrs = {"N: int >= 1", "T: type"},
    .traits = kPure,
    .shape = merge_inputs,
    .grad = not_differentiable,
};
static_assert(well_formed(kTPUReplicatedInput));

extern constexpr OpDecl kTPUReplicatedOutput{
    .name = "TPUReplicatedOutput",
    .doc = "What each of the cores made.",
    .inputs = {"input: T"},
    .outputs = {"outputs: num_replicas * T"},
    .attrs = {"num_replicas: int >= 1", "T: type"},
    .traits = kPure,
    .shape = replicated_output_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kTPUReplicatedOutput));

}  // namespace rill
