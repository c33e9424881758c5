#pragma once

#include <concepts>
#include <initializer_list>
#include <optional>
#include <source_location>
#include <variant>
#include <vector>

#include "rill/graph/scope.h"

namespace rill {

// One part of what stands between x[ and ]: an index, which removes its dimension, a range, "..."
// or a new axis. What is absent of a range is as in Python: from the start, to the end, by 1.
struct SliceRange {
  OptionalInput start = {}, stop = {}, step = {};
};
struct Ellipsis {};
struct NewAxis {};
using SlicePart = std::variant<Input, SliceRange, Ellipsis, NewAxis>;

// A part with the line of the program it stands in: what x[...] of an Output takes.
//
//   x[0], x[-1]                    x[0], x[-1]
//   x[SliceRange{1, 3}]            x[1:3]
//   x[SliceRange{.step = 2}]       x[::2]
//   x[{Ellipsis{}, NewAxis{}, 0}]  x[..., tf.newaxis, 0]
struct IndexPart {
  template <class T>
  requires std::constructible_from<SlicePart, const T&> IndexPart(
      const T& part, std::source_location at = std::source_location::current())
      : part(part), at(at) {}

  SlicePart part;
  std::source_location at;
};

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
