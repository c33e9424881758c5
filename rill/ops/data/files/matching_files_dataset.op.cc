#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"
#include "rill/ops/data/core/experimental_twin.h"

namespace rill {

extern constexpr OpDecl kMatchingFilesDataset{
    .name = "MatchingFilesDataset",
    .doc = "The paths of the files that fit the patterns, sorted.",
    .inputs = {"patterns: string"},
    .outputs = {"handle: variant"},
    .traits = kStateful | kReadsFiles,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kMatchingFilesDataset));

extern constexpr OpDecl kExperimentalMatchingFilesDataset =
    experimental_twin(kMatchingFilesDataset, "ExperimentalMatchingFilesDataset");
static_assert(well_formed(kExperimentalMatchingFilesDataset));

}  // namespace rill
