#include "rill/inspect/debugger/causality.h"

#include <map>
#include <set>

#include "rill/base/error.h"

namespace rill::debugger {
namespace {

// Outputs of the graph that were dumped at all: others are not waited for.
std::set<std::string> dumped_outputs(std::span<const DumpDatum* const> dumps) {
  std::set<std::string> names;
  for (const DumpDatum* dump : dumps) names.insert(dump->tensor_name());
  return names;
}

std::string with_slot(const std::string& input) {
  return input.find(':') == std::string::npos ? input + ":0" : input;
}

bool begins_iteration(const std::string& op) {
  return op == "Enter" || op == "RefEnter" || op == "NextIteration" || op == "RefNextIteration";
}

}  // namespace

void check_order(const DebugGraph& graph, std::span<const DumpDatum* const> dumps) {
  const std::set<std::string> dumped = dumped_outputs(dumps);
  std::map<std::string, std::int64_t> first;  // when an output was dumped first
  for (const DumpDatum* dump : dumps) {
    const auto [it, fresh] = first.emplace(dump->tensor_name(), dump->timestamp);
    if (!fresh) it->second = std::min(it->second, dump->timestamp);
  }
  for (const DumpDatum* dump : dumps) {
    const DebugGraph::Node* node = graph.find(dump->node);
    require(node != nullptr, "Node name '", dump->node,
            "' is not found in partition graphs of device ", graph.device());
    int waited = 0, there = 0;
    std::string missing;
    for (const std::string& input : node->inputs) {
      const NodeOrTensor from(input);
      const DebugGraph::Node* source = graph.find(from.node);
      const std::string output = with_slot(input);
      if (source == nullptr || !dumped.contains(output) || begins_iteration(source->op)) continue;
      ++waited;
      if (first[output] <= dump->timestamp)
        ++there;
      else
        missing = output;
    }
    const bool is_merge = node->op == "Merge" || node->op == "RefMerge";
    const bool holds =
        is_merge ? waited < static_cast<int>(node->inputs.size()) || there > 0 : there == waited;
    require(holds, "Causality violated in timing relations of debug dumps: ", dump->node, " (",
            dump->timestamp, "): these input(s) are not satisfied: ", missing);
  }
}

}  // namespace rill::debugger
