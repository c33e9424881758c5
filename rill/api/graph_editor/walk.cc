#include "rill/api/graph_editor/walk.h"

#include <algorithm>

namespace rill::graph_editor {
namespace {

// Nodes in the order in which they were met, each once.
class NodeList {
 public:
  bool add(Node* node) {
    const bool is_new = known_.insert(node).second;
    if (is_new) nodes_.push_back(node);
    return is_new;
  }
  bool has(const Node* node) const { return known_.contains(node); }
  const std::vector<Node*>& nodes() const { return nodes_; }

 private:
  std::vector<Node*> nodes_;
  std::unordered_set<const Node*> known_;
};

// Breadth-first. `neighbours` calls its second argument with each node behind an edge.
template <class Neighbours>
std::vector<Node*> walk(std::span<Node* const> seeds, const WalkOptions& options,
                        const Neighbours& neighbours) {
  NodeList met, begun;
  const auto enter = [&](Node* node) {
    if (!met.has(node) && (!options.within || options.within(*node))) met.add(node);
  };
  for (Node* seed : seeds) {
    begun.add(seed);
    met.add(seed);
  }
  for (std::size_t i = 0; i < met.nodes().size(); ++i) neighbours(met.nodes()[i], enter);
  std::vector<Node*> result = met.nodes();
  if (!options.inclusive) std::erase_if(result, [&](Node* node) { return begun.has(node); });
  return result;
}

bool reads(const Node& reader, const Node& node, const WalkOptions& options) {
  return std::ranges::any_of(reader.inputs(), [&](const Output& input) {
    return input.node == &node && !options.stop_at.contains(input);
  });
}

bool waits_for(const Node& reader, const Node& node) {
  return std::ranges::find(reader.control_inputs(), &node) != reader.control_inputs().end();
}

bool is_read_outside(const Output& output, const NodeList& inside) {
  return std::ranges::any_of(output.node->consumers(), [&](const Node* reader) {
    return !inside.has(reader) &&
           std::ranges::find(reader->inputs(), output) != reader->inputs().end();
  });
}

bool is_read(const Output& output) {
  return std::ranges::any_of(output.node->consumers(), [&](const Node* reader) {
    return std::ranges::find(reader->inputs(), output) != reader->inputs().end();
  });
}

}  // namespace

std::vector<Node*> backward_walk(std::span<Node* const> seeds, const WalkOptions& options) {
  return walk(seeds, options, [&](Node* node, const auto& enter) {
    for (const Output& input : node->inputs())
      if (input.node && !options.stop_at.contains(input)) enter(input.node);
    if (options.control_edges)
      for (Node* before : node->control_inputs()) enter(before);
  });
}

std::vector<Node*> forward_walk(std::span<Node* const> seeds, const WalkOptions& options) {
  return walk(seeds, options, [&](Node* node, const auto& enter) {
    for (Node* reader : node->consumers())
      if (reads(*reader, *node, options) || (options.control_edges && waits_for(*reader, *node)))
        enter(reader);
  });
}

std::vector<Node*> intersection(const std::vector<Node*>& forward,
                                const std::vector<Node*>& backward) {
  NodeList behind;
  for (Node* node : backward) behind.add(node);
  std::vector<Node*> result;
  for (Node* node : forward)
    if (behind.has(node)) result.push_back(node);
  return result;
}

std::vector<Node*> joined(const std::vector<Node*>& forward, const std::vector<Node*>& backward) {
  NodeList all;
  for (Node* node : forward) all.add(node);
  for (Node* node : backward) all.add(node);
  return all.nodes();
}

BoundaryTensors boundary_tensors(std::span<Node* const> nodes) {
  NodeList inside;
  for (Node* node : nodes) inside.add(node);
  BoundaryTensors result;
  std::unordered_set<Output, OutputHash> known;
  for (Node* node : inside.nodes())
    for (const Output& input : node->inputs())
      if (!inside.has(input.node) && known.insert(input).second) result.inputs.push_back(input);
  for (Node* node : inside.nodes())
    for (int i = 0; i < node->output_count(); ++i) {
      const Output output = node->output(i);
      const bool leaves = is_read_outside(output, inside) || !is_read(output);
      (leaves ? result.outputs : result.inside).push_back(output);
    }
  return result;
}

}  // namespace rill::graph_editor
