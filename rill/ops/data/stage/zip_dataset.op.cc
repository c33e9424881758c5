#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {

extern constexpr OpDecl kZipDataset{
    .name = "ZipDataset",
    .doc = "The components of one element of each input, as long as there are some in all.",
    .inputs = {"input_datasets: N * variant"},
    .outputs = {"handle: variant"},
    .attrs = {"output_types: list(type) >= 1", "output_shapes: list(shape) >= 1", "N: int >= 1"},
    .traits = kJoinsDatasets,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kZipDataset));

}  // namespace rill
