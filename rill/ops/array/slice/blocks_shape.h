#pragma once

#include "rill/graph/shape_ctx.h"

namespace rill {

// How SpaceToBatch and its kin cut space into blocks: sizes, and what is added (or taken away) at
// both ends of each dimension. While a graph is built, `known` is false when some of these values
// are not known; the sizes may be known alone.
struct BlockArgs {
  bool known = false;
  std::vector<std::int64_t> sizes, starts, ends;
};
// From block_shape and paddings (or crops) as inputs 1 and 2, or from the attribute block_size and
// input 1. Throws InvalidArgument when they are not positive and not negative, respectively.
BlockArgs block_args(const ShapeCtx& c);
// In how many dimensions space is cut; negative when that is not known.
std::int64_t block_rank(const ShapeCtx& c);
BlockArgs block_args(const Op& op, const AttrMap& attrs, const Tensor* sizes, const Tensor* ends);

}  // namespace rill
