#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"
#include "rill/ops/data/core/experimental_twin.h"

namespace rill {

extern constexpr OpDecl kSqlDataset{
    .name = "SqlDataset",
    .doc = "The rows that a query finds in a database.",
    .inputs = {"driver_name: string", "data_source_name: string", "query: string"},
    .outputs = {"handle: variant"},
    .attrs = {"output_types: list(type) >= 1", "output_shapes: list(shape) >= 1"},
    .traits = kStateful | kReadsFiles,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kSqlDataset));

extern constexpr OpDecl kExperimentalSqlDataset =
    experimental_twin(kSqlDataset, "ExperimentalSqlDataset");
static_assert(well_formed(kExperimentalSqlDataset));

}  // namespace rill
