#pragma once

#include <cstddef>
#include <cstdint>

#include "rill/ops/math/segment/segment.h"

namespace rill {

// Joins the rows of a segment to one row, whose elements stay in registers meanwhile. Rows are
// `width` elements apart. What kMean and kSqrtN divide floats by is `divisor`, and 1 for others;
// sums of integers are left for divide_row.
struct RunJoins {
  // Rows 0 to `count` - 1 of `from`, of which there is one at least.
  void (*rows)(void* out, const void* from, std::size_t count, std::size_t width,
               double divisor) = nullptr;
  // Sums alone: rows places[0], places[1], ... of `from`.
  void (*at_32)(void* out, const void* from, const std::int32_t* places, std::size_t count,
                std::size_t width, double divisor) = nullptr;
  void (*at_64)(void* out, const void* from, const std::int64_t* places, std::size_t count,
                std::size_t width, double divisor) = nullptr;
};

// For float, double, int32 and int64; all null for other types.
RunJoins find_run_joins(SegmentKind kind, DType dtype);

// to[i] += from[i] * *factor, for float and double.
using AddScaledRow = void (*)(void* to, const void* from, const void* factor, std::size_t n);
AddScaledRow find_add_scaled_row(DType dtype);

}  // namespace rill
