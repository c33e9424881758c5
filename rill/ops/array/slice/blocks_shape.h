#pragma once

#include "rill/graph/shape_ctx.h"

namespace rill {

// How SpaceToBatch and its kin cut space into blocks: sizes, and what is added (or taken away) at
// both ends of each dimension. `known` is false while a graph is built and values are not.
struct BlockArgs {
  bool known = false;
  std::vector<std::int64_t> sizes, starts, ends;
};
// From block_shape and paddings (or crops) as inputs 1 and 2, or from the attribute block_size and
// input 1. Throws InvalidArgument when they are not positive and not negative, respectively.
BlockArgs block_args(const ShapeCtx& c);
BlockArgs block_args(const Op& op, const AttrMap& attrs, const Tensor* sizes, const Tensor* ends);

}  // namespace rill
