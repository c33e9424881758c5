#include "rill/inspect/debugger/watch.h"

#include <shared_mutex>

#include "rill/base/error.h"
#include "rill/inspect/debugger/array_text.h"
#include "rill/inspect/debugger/name_pattern.h"

namespace rill::debugger {
namespace {

std::string type_name(DType type) {
  const std::string name = base_type(type) == DType::string ? "string" : numpy_type(type);
  return is_ref(type) ? name + "_ref" : name;
}

}  // namespace

DebugOptions watch_graph(const Graph& graph, const std::vector<std::string>& urls,
                         const WatchOptions& options) {
  const NamePattern name(options.node_name), op(options.op_type), type(options.tensor_dtype);
  const auto is_wanted = [&](const Node& node, int slot) {
    const auto passes = [&](const NamePattern& pattern, const std::string& text) {
      return !pattern.is_given() || pattern.matches(text) != options.denies;
    };
    return passes(name, node.name()) && passes(op, node.op().name) &&
           passes(type, type_name(node.output_type(slot)));
  };
  DebugOptions debug;
  const auto add = [&](const std::string& node, int slot) {
    debug.watches.push_back({.node = node,
                             .slot = slot,
                             .ops = options.debug_ops,
                             .urls = urls,
                             .tolerates_failures = options.tolerates_failures});
  };
  const std::shared_lock lock(graph.mutex());
  for (int i = 0; i < graph.node_count(); ++i) {
    const Node& node = graph.node(i);
    for (int slot = 0; slot < node.output_count(); ++slot)
      if (is_wanted(node, slot)) add(node.name(), slot);
  }
  if (!name.is_given() && !op.is_given() && !type.is_given()) add("*", -1);
  return debug;
}

}  // namespace rill::debugger
