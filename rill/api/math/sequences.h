#pragma once

#include <optional>
#include <source_location>
#include <string>

#include "rill/api/core/default_graph.h"

namespace rill {

struct RangeOptions {
  Input delta = 1;
  DType dtype = DType::invalid;  // the widest of the arguments'
  std::string name = "range";
};
// start, start + delta, ... below `limit` (above it where delta is negative). All are scalars.
// Throws InvalidArgument for types other than int32, int64, float32 and float64; a delta of
// zero, or one that leads away from the limit, fails at the latest in the step.
//
//   range(3, 18, {.delta = 3});  // 3 6 9 12 15
Output range(const Input& start, const Input& limit, const RangeOptions& options = {},
             std::source_location at = std::source_location::current());
// 0, 1, ... below `limit`.
Output range(const Input& limit, const RangeOptions& options = {},
             std::source_location at = std::source_location::current());

}  // namespace rill
