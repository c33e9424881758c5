// Datasets that say how many threads the stages before them are to use.
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"
#include "rill/ops/data/core/experimental_twin.h"

namespace rill {

extern constexpr OpDecl kMaxIntraOpParallelismDataset{
    .name = "MaxIntraOpParallelismDataset",
    .doc = "The same elements.",
    .inputs = {"input_dataset: variant", "max_intra_op_parallelism: int64"},
    .outputs = {"handle: variant"},
    .attrs = {"output_types: list(type) >= 1", "output_shapes: list(shape) >= 1"},
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kMaxIntraOpParallelismDataset));

extern constexpr OpDecl kExperimentalMaxIntraOpParallelismDataset =
    experimental_twin(kMaxIntraOpParallelismDataset, "ExperimentalMaxIntraOpParallelismDataset");
static_assert(well_formed(kExperimentalMaxIntraOpParallelismDataset));

extern constexpr OpDecl kPrivateThreadPoolDataset{
    .name = "PrivateThreadPoolDataset",
    .doc = "The same elements; where the number of parallel calls is left open, `num_threads`.",
    .inputs = {"input_dataset: variant", "num_threads: int64"},
    .outputs = {"handle: variant"},
    .attrs = {"output_types: list(type) >= 1", "output_shapes: list(shape) >= 1"},
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kPrivateThreadPoolDataset));

extern constexpr OpDecl kExperimentalPrivateThreadPoolDataset =
    experimental_twin(kPrivateThreadPoolDataset, "ExperimentalPrivateThreadPoolDataset");
static_assert(well_formed(kExperimentalPrivateThreadPoolDataset));

extern constexpr OpDecl kThreadPoolDataset{
    .name = "ThreadPoolDataset",
    .doc =
        "The same elements; where the number of parallel calls is left open, that of the pool's "
        "threads.",
    .inputs = {"input_dataset: variant", "thread_pool: resource"},
    .outputs = {"handle: variant"},
    .attrs = {"output_types: list(type) >= 1", "output_shapes: list(shape) >= 1"},
    .traits = kStateful,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kThreadPoolDataset));

extern constexpr OpDecl kExperimentalThreadPoolDataset =
    experimental_twin(kThreadPoolDataset, "ExperimentalThreadPoolDataset");
static_assert(well_formed(kExperimentalThreadPoolDataset));

extern constexpr OpDecl kThreadPoolHandle{
    .name = "ThreadPoolHandle",
    .doc = "A number of threads for datasets to use.",
    .outputs = {"handle: resource"},
    .attrs = {"num_threads: int", "max_intra_op_parallelism: int = 1", "display_name: string",
              "container: string = \"\"", "shared_name: string = \"\""},
    .traits = kStateful,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kThreadPoolHandle));

extern constexpr OpDecl kExperimentalThreadPoolHandle =
    experimental_twin(kThreadPoolHandle, "ExperimentalThreadPoolHandle");
static_assert(well_formed(kExperimentalThreadPoolHandle));

}  // namespace rill
