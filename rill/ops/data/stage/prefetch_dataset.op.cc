#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {

extern constexpr OpDecl kPrefetchDataset{
    .name = "PrefetchDataset",
    .doc = "The same elements, fetched in the background before they are asked for.",
    .inputs = {"input_dataset: variant", "buffer_size: int64"},
    .outputs = {"handle: variant"},
    .attrs = {"output_types: list(type) >= 1", "output_shapes: list(shape) >= 1",
              "slack_period: int = 0", "legacy_autotune: bool = true"},
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kPrefetchDataset));

}  // namespace rill
