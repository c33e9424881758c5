#pragma once

#include <cstdint>
#include <span>

#include "rill/graph/graph.h"

namespace rill {

// What stands between x[ and ] where nothing of it is a tensor and every step is 1.
struct PlainPart {
  enum class Kind : std::uint8_t { kIndex, kRange, kEllipsis, kNewAxis };
  Kind kind = Kind::kIndex;
  bool has_start = false, has_stop = false;  // of ranges
  std::int64_t start = 0, stop = 0;          // an index is a start
};

// x[parts] in eager execution where that is one block of x's memory and nobody looks on: no tape
// that watches x, no observer, no other device. An empty Output otherwise, also where an index is
// out of range. A large block shares x's memory.
Output block_of(const Output& x, std::span<const PlainPart> parts);

}  // namespace rill
