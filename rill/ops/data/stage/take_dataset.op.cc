// Parts of a dataset, by position.
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {

extern constexpr OpDecl kTakeDataset{
    .name = "TakeDataset",
    .doc = "The first `count` elements, all if that is negative.",
    .inputs = {"input_dataset: variant", "count: int64"},
    .outputs = {"handle: variant"},
    .attrs = {"output_types: list(type) >= 1", "output_shapes: list(shape) >= 1"},
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kTakeDataset));

extern constexpr OpDecl kSkipDataset{
    .name = "SkipDataset",
    .doc = "What follows the first `count` elements, nothing if that is negative.",
    .inputs = {"input_dataset: variant", "count: int64"},
    .outputs = {"handle: variant"},
    .attrs = {"output_types: list(type) >= 1", "output_shapes: list(shape) >= 1"},
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kSkipDataset));

extern constexpr OpDecl kShardDataset{
    .name = "ShardDataset",
    .doc = "Every `num_shards`-th element, beginning with number `index`.",
    .inputs = {"input_dataset: variant", "num_shards: int64", "index: int64"},
    .outputs = {"handle: variant"},
    .attrs = {"require_non_empty: bool = false", "output_types: list(type) >= 1",
              "output_shapes: list(shape) >= 1"},
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kShardDataset));

}  // namespace rill
