#pragma once

#include <optional>
#include <span>

#include "rill/base/error.h"
#include "rill/passes/subgraph.h"

namespace rill {

// Which part of a rewritten item is at fault when the item fails: the first whose shapes do not fit
// what it gets, with the error that it would have raised alone, else the last.
struct Blame {
  const Node* node;
  std::optional<Error> error;        // set when shapes are at fault
  std::vector<PartialShape> shapes;  // of its inputs, where `error` is set
};
Blame find_blame(const std::vector<Subgraph::Part>& parts, std::span<const Tensor* const> inputs);

}  // namespace rill
