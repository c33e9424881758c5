#pragma once

#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

// What declarations of this folder share.
namespace rill {

// Every input from `begin` to `end` has this rank; the size of the first dimension of all of them.
inline std::int64_t common_rows(const ShapeCtx& c, int begin, int end, int rank = 1) {
  std::int64_t rows = kUnknownDim;
  for (int i = begin; i < end; ++i) {
    const std::int64_t own = c.with_rank(i, rank).dim(0);
    require(compatible(rows, own), "Dimension 0 in both shapes must be equal, but are ", rows,
            " and ", own);
    rows = merge_dim(rows, own);
  }
  return rows;
}

inline void require_same(std::int64_t a, std::int64_t b) {
  require(compatible(a, b), "Dimensions must be equal, but are ", a, " and ", b);
}

}  // namespace rill
