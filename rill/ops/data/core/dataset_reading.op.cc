// Ops that look at a whole dataset.
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"
#include "rill/ops/data/core/experimental_twin.h"

namespace rill {

extern constexpr OpDecl kDatasetCardinality{
    .name = "DatasetCardinality",
    .doc = "How many elements there are: -1 if without end, -2 if nobody knows.",
    .inputs = {"input_dataset: variant"},
    .outputs = {"cardinality: int64"},
    .traits = kNoAccess,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kDatasetCardinality));

extern constexpr OpDecl kExperimentalDatasetCardinality =
    experimental_twin(kDatasetCardinality, "ExperimentalDatasetCardinality");
static_assert(well_formed(kExperimentalDatasetCardinality));

extern constexpr OpDecl kDatasetToTFRecord{
    .name = "DatasetToTFRecord",
    .doc = "Writes the strings of a dataset into a TFRecord file.",
    .inputs = {"input_dataset: variant", "filename: string", "compression_type: string"},
    .traits = kStateful | kWritesFiles,
    .shape = no_outputs,
    .grad = no_gradient,
};
static_assert(well_formed(kDatasetToTFRecord));

extern constexpr OpDecl kExperimentalDatasetToTFRecord =
    experimental_twin(kDatasetToTFRecord, "ExperimentalDatasetToTFRecord");
static_assert(well_formed(kExperimentalDatasetToTFRecord));

}  // namespace rill
