#pragma once

#include "rill/graph/shape_ctx.h"

namespace rill {

// What the shape functions of recurrent cells share; any size may be unknown.

struct CellSizes {
  std::int64_t batch, input, cells;
};

// What inputs must agree on; unknown dimensions agree with all.
inline void check_dim(const char* what, std::int64_t got, std::int64_t want) {
  require(compatible(got, want), what, ": ", got, " vs. ", want);
}

inline std::int64_t dim_times(std::int64_t dim, std::int64_t factor) {
  return dim < 0 ? dim : dim * factor;
}
inline std::int64_t dim_sum(std::int64_t a, std::int64_t b) {
  return a < 0 || b < 0 ? kUnknownDim : a + b;
}

}  // namespace rill
