#pragma once

#include <optional>
#include <source_location>
#include <variant>
#include <vector>

#include "rill/graph/scope.h"

namespace rill {

// One part of what stands between x[ and ]: an index, which removes its dimension, a range, "..."
// or a new axis. What is absent of a range is as in Python: from the start, to the end, by 1.
struct SliceRange {
  std::optional<Input> start = {}, stop = {}, step = {};
};
struct Ellipsis {};
struct NewAxis {};
using SlicePart = std::variant<Input, SliceRange, Ellipsis, NewAxis>;

// x[parts...] as Python's indexing makes it: one StridedSlice.
//
//   Output last = slice(x, {Ellipsis{}, Input(-1)});                // x[..., -1]
//   Output rest = slice(x, {SliceRange{.start = Input(1)}});        // x[1:]
//
// Indices are scalars of int32 or int64. Throws InvalidArgument when there are more parts than
// dimensions, several ellipses, or an index is no integer. An index out of range fails the step
// where it is not known before.
Output slice(const Scope& scope, Output x, const std::vector<SlicePart>& parts);
Output slice(Output x, const std::vector<SlicePart>& parts,
             std::source_location at = std::source_location::current());

}  // namespace rill
