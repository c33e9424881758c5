#pragma once

#include <cstddef>
#include <cstdint>

#include "rill/tensor/dtype.h"

namespace rill {

// What is true of all indices of a sparse matrix, which are pairs of numbers.
struct PairChecks {
  bool inside = true;   // the first numbers are in [0, limits[0]), the second in [0, limits[1])
  bool ordered = true;  // number `by` of a pair is never less than that of the pair before
};

// `pairs` are int32 or int64; limits are not negative.
PairChecks check_pairs(DType dtype, const void* pairs, std::size_t count,
                       const std::int64_t (&limits)[2], int by);

}  // namespace rill
