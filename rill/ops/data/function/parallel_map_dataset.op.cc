#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {

extern constexpr OpDecl kParallelMapDataset{
    .name = "ParallelMapDataset",
    .doc =
        "What the function `f` makes of each element, in the same order, several calls at a "
        "time. With `sloppy` results come as they are ready.",
    .inputs = {"input_dataset: variant", "other_arguments: Targuments",
               "num_parallel_calls: int32"},
    .outputs = {"handle: variant"},
    .attrs = {"f: func", "Targuments: list(type) >= 0", "output_types: list(type) >= 1",
              "output_shapes: list(shape) >= 1", "use_inter_op_parallelism: bool = true",
              "sloppy: bool = false", "preserve_cardinality: bool = false"},
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kParallelMapDataset));

}  // namespace rill
