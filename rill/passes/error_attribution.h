#pragma once

#include <optional>
#include <span>

#include "rill/base/error.h"
#include "rill/passes/subgraph.h"

namespace rill {

// When a rewritten item fails, which of the program's nodes that it replaced the error belongs to.
// Their shape functions run in order on the shapes that came in; the first that raises is named,
// with its own error. If none raises, the last node is named and the kernel's error stays.
struct ErrorAttribution {
  const Node* node;
  std::optional<Error> error;        // set when a shape function raised
  std::vector<PartialShape> shapes;  // of its inputs, where `error` is set
};
ErrorAttribution attribute_error(const std::vector<Subgraph::ReplacedNode>& nodes,
                                 std::span<const Tensor* const> inputs);

}  // namespace rill
