#pragma once

#include "rill/graph/shape_ctx.h"

namespace rill {

// What is known of input i seen as a list of dimensions: its value if that is known, else the
// dimensions that can be told without it, else as many unknown ones as it has elements.
// Negative dimensions are refused, or unknown when `allow_minus_one` and they are -1.
PartialShape known_dims(const ShapeCtx& c, int i, bool allow_minus_one = false);

// A copy of `shape` with `count` dimensions from `begin` on replaced by one, `dim`; none when -2.
inline constexpr std::int64_t kNoDim = -2;
PartialShape replace_dims(const PartialShape& shape, int begin, int count, std::int64_t dim);

// The least rank of a tensor that has dimension `axis`, for messages; any axis will do.
constexpr std::uint64_t rank_with(std::int64_t axis) {
  return static_cast<std::uint64_t>(axis < 0 ? ~axis : axis) + 1;
}

}  // namespace rill
