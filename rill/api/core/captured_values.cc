#include "rill/api/core/captured_values.h"

#include <mutex>

#include "rill/api/core/default_graph.h"
#include "rill/api/core/outermost_graph.h"
#include "rill/graph/executed_node.h"

namespace rill {
namespace {

struct Captured {
  std::mutex mutex;
  std::vector<std::pair<Output, Output>> handles;  // of eager execution, and what stands for them
};

bool is_handle(const Output& x) {
  return x.dtype() == DType::resource || x.dtype() == DType::variant;
}

// A handle of a variable is a node that tells the variable's type and shape.
NodeSpec stand_in(Graph& graph, const Output& x) {
  const HandleInfo* info = x.node->output_handle(x.index);
  const std::string name = graph.unique_name(x.node->name().empty() ? "captured" : x.node->name());
  if (x.dtype() == DType::resource && info != nullptr && x.node->op().name == "VarHandleOp")
    return {.op = "VarHandleOp",
            .name = name,
            .attrs = {{"dtype", info->dtype}, {"shape", info->shape}, {"shared_name", name}}};
  return {.op = "Placeholder",
          .name = name,
          .attrs = {{"dtype", x.dtype()}, {"shape", PartialShape(x.value().shape())}}};
}

Output capture(Graph& graph, const Output& x) {
  if (!x.node->is_executed()) return x;
  if (!is_handle(x)) return Scope(graph).constant(x.value(), "captured");
  Captured& captured = graph.attached<Captured>();
  const std::lock_guard lock(captured.mutex);
  for (const auto& [outside, inside] : captured.handles)
    if (outside == x) return inside;
  captured.handles.emplace_back(x, graph.add(stand_in(graph, x)).output());
  return captured.handles.back().second;
}

}  // namespace

std::shared_ptr<Graph> make_capturing_graph() {
  auto graph = make_graph();
  graph->capture = [at = graph.get()](const Output& x) { return capture(*at, x); };
  graph->attached<Captured>();
  return graph;
}

std::vector<Feed> captured_feeds(Graph& graph) {
  std::vector<Feed> feeds;
  if (!graph.capture) return feeds;
  Captured& captured = graph.attached<Captured>();
  const std::lock_guard lock(captured.mutex);
  for (const auto& [outside, inside] : captured.handles) feeds.push_back({inside, outside.value()});
  return feeds;
}

Output captured_in(Graph& graph, const Output& x) {
  return x.node && x.node->is_executed() && graph.capture ? graph.capture(x) : x;
}

bool lifts_variables() {
  const Graph& graph = *default_graph();
  return !graph.is_eager() && graph.capture && outermost_graph()->is_eager();
}

}  // namespace rill
