#pragma once

#include <unordered_map>

#include "rill/graph/graph.h"

namespace rill {

// Nodes for which others stand that have the same first outputs: a call is replaced by one that
// also gives what its gradient needs. Programs keep the node that they know; what is made of the
// graph (the definition of a function, a session's plan) has the other. Kept with its graph:
// graph.attached<ReplacedNodes>().
class ReplacedNodes {
 public:
  void add(const Node& node, Node& by) { by_[&node] = &by; }
  bool empty() const { return by_.empty(); }
  bool contains(const Node& node) const { return by_.contains(&node); }
  // What stands for the node at the end: itself, where nothing does.
  const Node& in_place_of(const Node& node) const {
    const Node* at = &node;
    for (auto found = by_.find(at); found != by_.end(); found = by_.find(at)) at = found->second;
    return *at;
  }
  Output in_place_of(const Output& output) const {
    if (by_.empty()) return output;
    return {const_cast<Node*>(&in_place_of(*output.node)), output.index};
  }

 private:
  std::unordered_map<const Node*, Node*> by_;
};

}  // namespace rill
