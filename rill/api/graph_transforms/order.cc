// Transforms about which nodes there are and in which order they stand.
#include <algorithm>
#include <map>
#include <unordered_map>
#include <vector>

#include "rill/api/graph_transforms/graph_editor.h"
#include "rill/api/graph_transforms/transforms.h"
#include "rill/base/error.h"
#include "rill/graph/registry.h"
#include "rill/ops/register.h"

namespace rill::graph_transforms {
namespace {

using tensorflow::GraphDef;
using tensorflow::NodeDef;

// Everything about a node but its name, in an order that does not depend on maps.
std::string description(const NodeDef& node) {
  std::string text = str_cat(node.op(), "\n", node.device(), "\n");
  for (const std::string& input : node.input()) text += str_cat(input, "\n");
  std::map<std::string, std::string> attrs;
  for (const auto& [name, value] : node.attr())
    if (name != "_output_shapes") attrs[name] = value.SerializeAsString();
  for (const auto& [name, value] : attrs) text += str_cat(name, "=", value, "\n");
  return text;
}

bool may_be_shared(const NodeDef& node) {
  const Op* op = standard_ops().find(node.op());
  return op != nullptr && op->has(kPure) && !op->has(kControlFlow) && !op->has(kFeedOnly);
}

}  // namespace

GraphDef sort_by_execution_order(GraphDef graph, const Context&) {
  const auto count = static_cast<std::size_t>(graph.node_size());
  std::unordered_map<std::string_view, std::size_t> position;
  for (std::size_t i = 0; i < count; ++i) position[graph.node(static_cast<int>(i)).name()] = i;
  std::vector<std::vector<std::size_t>> readers(count);
  std::vector<int> waiting(count, 0);
  for (std::size_t i = 0; i < count; ++i) {
    const NodeDef& node = graph.node(static_cast<int>(i));
    for (const std::string& input : node.input()) {
      const auto found = position.find(node_of(input));
      require(found != position.end(), "Input for ", node.name(), " not found: ", input);
      const NodeDef& from = graph.node(static_cast<int>(found->second));
      // The way back of a loop.
      if (from.op().ends_with("NextIteration")) continue;
      readers[found->second].push_back(i);
      ++waiting[i];
    }
  }
  // Of the nodes that could come next, the one that stood first.
  std::vector<std::size_t> ready, order;
  for (std::size_t i = 0; i < count; ++i)
    if (waiting[i] == 0) ready.push_back(i);
  std::ranges::make_heap(ready, std::greater());
  while (!ready.empty()) {
    std::ranges::pop_heap(ready, std::greater());
    const std::size_t next = ready.back();
    ready.pop_back();
    order.push_back(next);
    for (const std::size_t reader : readers[next])
      if (--waiting[reader] == 0) {
        ready.push_back(reader);
        std::ranges::push_heap(ready, std::greater());
      }
  }
  require(order.size() == count, "The graph has a cycle");
  GraphDef result;
  result.mutable_library()->Swap(graph.mutable_library());
  *result.mutable_versions() = graph.versions();
  for (const std::size_t i : order)
    result.add_node()->Swap(graph.mutable_node(static_cast<int>(i)));
  return result;
}

GraphDef merge_duplicate_nodes(GraphDef graph, const Context& context) {
  GraphDef sorted = sort_by_execution_order(std::move(graph), context);
  GraphEditor editor(std::move(sorted), context.kept());
  std::unordered_map<std::string, std::string> same;  // by name: the node that stands for it
  std::unordered_map<std::string, const NodeDef*> first;
  for (NodeDef* node : editor.nodes()) {
    for (int i = 0; i < node->input_size(); ++i) {
      const std::string& input = node->input(i);
      const auto found = same.find(std::string(node_of(input)));
      if (found == same.end()) continue;
      const int output = is_control(input) ? 0 : output_of(input);
      editor.set_input(*node, i,
                       is_control(input) ? "^" + found->second
                       : output > 0      ? str_cat(found->second, ":", output)
                                         : found->second);
    }
    if (!may_be_shared(*node) || editor.is_kept(*node)) continue;
    const auto [it, is_new] = first.emplace(description(*node), node);
    if (is_new) continue;
    same[node->name()] = it->second->name();
    editor.remove(*node);
  }
  return editor.finish();
}

}  // namespace rill::graph_transforms
