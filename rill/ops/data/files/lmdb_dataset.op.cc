#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"
#include "rill/ops/data/core/experimental_twin.h"

namespace rill {

extern constexpr OpDecl kLMDBDataset{
    .name = "LMDBDataset",
    .doc = "Keys and values of LMDB databases.",
    .inputs = {"filenames: string"},
    .outputs = {"handle: variant"},
    .attrs = {"output_types: list(type) >= 1", "output_shapes: list(shape) >= 1"},
    .traits = kStateful | kReadsFiles,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kLMDBDataset));

extern constexpr OpDecl kExperimentalLMDBDataset =
    experimental_twin(kLMDBDataset, "ExperimentalLMDBDataset");
static_assert(well_formed(kExperimentalLMDBDataset));

}  // namespace rill
