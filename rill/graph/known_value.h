#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "rill/tensor/tensor.h"

namespace rill {

class Node;

// What is known of an output's value before anything runs. Kept on the node when it is added, so
// asking never walks the graph.
struct KnownValue {
  Tensor value;  // holds nothing unless every element is known
  // The elements of a small integer scalar or vector of which some are known; only without `value`.
  std::vector<std::optional<std::int64_t>> items;
  bool is_scalar = false;
};
using KnownValueRef = std::shared_ptr<const KnownValue>;

// What `node`'s inputs, attributes and shapes tell of each output; empty when nothing is known.
// Constants, identities, shapes of tensors, and what programs compute from shapes.
std::vector<KnownValueRef> known_values(const Node& node);

}  // namespace rill
