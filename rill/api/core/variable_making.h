#pragma once

#include <cstddef>
#include <map>

#include "rill/graph/graph.h"

namespace rill {

// What the body of a function says of variables that are made while it is built; kept with it.
struct VariableMaking {
  bool is_function = false;
  bool refused = false;  // they were to be made by the first call
  std::size_t made = 0;
  std::map<const Node*, Output> given;  // arguments that are known: those of the first call
};

// `x`, a tensor of a function's body, made anew in the graph around all functions, where that is an
// eager one computed at once. Throws InvalidArgument where it depends on an argument.
Output computed_outside(const Output& x);

}  // namespace rill
