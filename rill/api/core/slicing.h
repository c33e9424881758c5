#pragma once

#include <optional>
#include <source_location>
#include <variant>
#include <vector>

#include "rill/graph/scope.h"

namespace rill {

// One part of what stands between x[ and ]: an index, a range, "..." or a new axis.
struct SliceRange {
  std::optional<Input> start = {}, stop = {}, step = {};
};
struct Ellipsis {};
struct NewAxis {};
using SlicePart = std::variant<Input, SliceRange, Ellipsis, NewAxis>;

// x[parts...] as Python's indexing makes it: one StridedSlice. Throws InvalidArgument when there
// are more parts than dimensions or several ellipses.
Output slice(const Scope& scope, Output x, const std::vector<SlicePart>& parts);
Output slice(Output x, const std::vector<SlicePart>& parts,
             std::source_location at = std::source_location::current());

}  // namespace rill
