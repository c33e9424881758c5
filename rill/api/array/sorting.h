#pragma once

#include <source_location>
#include <string>

#include "rill/api/core/default_graph.h"

namespace rill {

struct SortOptions {
  Input axis = -1;                      // must be known when the graph is built
  std::string direction = "ASCENDING";  // or "DESCENDING"
  bool stable = false;                  // of argsort; the order of equal elements is kept anyhow
  std::string name = {};
};
// The elements along a dimension in order, or the places where they were, int32. Throws
// InvalidArgument for an unknown direction, and for an axis that is unknown or not there.
Output sort(const Input& values, const SortOptions& options = {},
            std::source_location at = std::source_location::current());
Output argsort(const Input& values, const SortOptions& options = {},
               std::source_location at = std::source_location::current());

struct SearchsortedOptions {
  std::string side = "left";  // "right": behind equal elements
  DType out_type = DType::i32;
  std::string name = {};
};
// Where each value belongs in a sorted sequence; in the last dimension, other dimensions of both
// are equal. Throws InvalidArgument for an unknown side. A sequence that is not sorted gives no
// error and no sensible answer.
Output searchsorted(const Input& sorted_sequence, const Input& values,
                    const SearchsortedOptions& options = {},
                    std::source_location at = std::source_location::current());

}  // namespace rill
