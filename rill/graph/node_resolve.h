#pragma once

#include <vector>

#include "rill/graph/graph.h"

namespace rill {

// What a declaration makes of a NodeSpec.
struct ResolvedNode {
  AttrMap attrs;  // complete: given, inferred from inputs, or defaults
  std::vector<DType> input_types, output_types;
};

// Checks the spec's attributes and inputs against the op and completes them. Empty inputs count as
// given later. Throws InvalidArgument naming the op, the argument, what was expected and what came.
ResolvedNode resolve_node(const Op& op, NodeSpec& spec);

// True if a tensor of type `given` may be used where `wanted` is expected: a reference can be read,
// a value cannot be written.
constexpr bool can_feed(DType given, DType wanted) {
  return given == wanted || (!is_ref(wanted) && base_type(given) == wanted);
}

}  // namespace rill
