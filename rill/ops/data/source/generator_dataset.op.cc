#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {

extern constexpr OpDecl kGeneratorDataset{
    .name = "GeneratorDataset",
    .doc =
        "What the function `next_func` gives until it raises OutOfRange. `init_func` gives the "
        "state that it is called with, `finalize_func` is called with it at the end.",
    .inputs = {"init_func_other_args: Tinit_func_args", "next_func_other_args: Tnext_func_args",
               "finalize_func_other_args: Tfinalize_func_args"},
    .outputs = {"handle: variant"},
    .attrs = {"init_func: func", "next_func: func", "finalize_func: func",
              "Tinit_func_args: list(type) >= 0", "Tnext_func_args: list(type) >= 0",
              "Tfinalize_func_args: list(type) >= 0", "output_types: list(type) >= 1",
              "output_shapes: list(shape) >= 1"},
    .traits = kStateful,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kGeneratorDataset));

}  // namespace rill
