// Datasets that say how to run the stages before; there the elements are not touched.
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {

extern constexpr OpDecl kModelDataset{
    .name = "ModelDataset",
    .doc = "The same elements.",
    .inputs = {"input_dataset: variant"},
    .outputs = {"handle: variant"},
    .attrs = {"algorithm: int = 0", "cpu_budget: int = 0", "output_types: list(type) >= 1",
              "output_shapes: list(shape) >= 1"},
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kModelDataset));

extern constexpr OpDecl kOptimizeDataset{
    .name = "OptimizeDataset",
    .doc = "The same elements.",
    .inputs = {"input_dataset: variant", "optimizations: string"},
    .outputs = {"handle: variant"},
    .attrs = {"output_types: list(type) >= 1", "output_shapes: list(shape) >= 1",
              "optimization_configs: list(string) = []"},
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kOptimizeDataset));

}  // namespace rill
