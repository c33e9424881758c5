// Datasets as values of other kinds.
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {

extern constexpr OpDecl kDatasetToGraph{
    .name = "DatasetToGraph",
    .doc = "The serialized GraphDef that makes the dataset.",
    .inputs = {"input_dataset: variant"},
    .outputs = {"graph: string"},
    .attrs = {"stateful_whitelist: list(string) >= 0 = []"},
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kDatasetToGraph));

extern constexpr OpDecl kDatasetFromGraph{
    .name = "DatasetFromGraph",
    .doc = "The dataset that a serialized GraphDef makes, as DatasetToGraph writes it.",
    .inputs = {"graph_def: string"},
    .outputs = {"handle: variant"},
    .traits = kRunsForeignCode,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kDatasetFromGraph));

extern constexpr OpDecl kWrapDatasetVariant{
    .name = "WrapDatasetVariant",
    .doc = "A dataset in a variant of another kind.",
    .inputs = {"input_handle: variant"},
    .outputs = {"output_handle: variant"},
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kWrapDatasetVariant));

extern constexpr OpDecl kUnwrapDatasetVariant{
    .name = "UnwrapDatasetVariant",
    .doc = "The dataset that WrapDatasetVariant wrapped.",
    .inputs = {"input_handle: variant"},
    .outputs = {"output_handle: variant"},
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kUnwrapDatasetVariant));

}  // namespace rill
