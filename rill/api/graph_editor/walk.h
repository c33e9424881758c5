#pragma once

#include <functional>
#include <span>
#include <unordered_set>
#include <vector>

#include "rill/graph/graph.h"

namespace rill::graph_editor {

// Where a walk along the edges of a graph goes.
struct WalkOptions {
  bool inclusive = true;              // whether the nodes where it begins are part of the result
  std::function<bool(Node&)> within;  // nodes it may enter; all, when empty
  std::unordered_set<Output, OutputHash> stop_at = {};  // tensors that it does not cross
  bool control_edges = false;
};

// The nodes that `seeds` depend on, or that depend on them; each once, nearer ones first. Those of
// `seeds` that another reaches are left out by `inclusive = false`, too.
std::vector<Node*> backward_walk(std::span<Node* const> seeds, const WalkOptions& options = {});
std::vector<Node*> forward_walk(std::span<Node* const> seeds, const WalkOptions& options = {});

// What lies on a way from `begins` to `ends`, or is reached from either side. In forward order.
std::vector<Node*> intersection(const std::vector<Node*>& forward,
                                const std::vector<Node*>& backward);
std::vector<Node*> joined(const std::vector<Node*>& forward, const std::vector<Node*>& backward);

// The tensors at the border of a set of nodes: those read from outside, made in it and read
// outside or by nobody, and made and read inside.
struct BoundaryTensors {
  std::vector<Output> inputs = {}, outputs = {}, inside = {};
};
BoundaryTensors boundary_tensors(std::span<Node* const> nodes);

}  // namespace rill::graph_editor
