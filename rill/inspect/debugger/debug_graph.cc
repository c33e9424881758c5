#include "rill/inspect/debugger/debug_graph.h"

#include <algorithm>

#include "rill/base/error.h"
#include "rill/base/text.h"

namespace rill::debugger {
namespace {

constexpr std::string_view kCopy = "__copy_", kDebug = "__dbg_";

// "x:1" from "__copy_x_1"; other names as they are.
std::string origin_of(const std::string& input) {
  const std::string node = input.substr(0, input.find(':'));
  if (!is_copy_node(node)) return input;
  const auto last = node.rfind('_');
  const std::string slot = node.substr(last + 1),
                    name = node.substr(kCopy.size(), last - kCopy.size());
  return slot == "0" ? name : str_cat(name, ":", slot);
}

std::string without_zero(const std::string& input) {
  return input.ends_with(":0") ? input.substr(0, input.size() - 2) : input;
}

}  // namespace

NodeOrTensor::NodeOrTensor(const std::string& name) {
  node = name.starts_with("^") ? name.substr(1) : name;
  const auto colon = node.rfind(':');
  if (colon == std::string::npos) return;
  long long number = 0;
  require(parse_int(node.substr(colon + 1), &number), "\"", name,
          "\" is neither a node nor a tensor: what follows the colon is no number");
  slot = static_cast<int>(number);
  node.resize(colon);
}

bool is_copy_node(const std::string& name) { return name.starts_with(kCopy); }
bool is_debug_node(const std::string& name) { return name.starts_with(kDebug); }

tensorflow::GraphDef without_debug_nodes(const tensorflow::GraphDef& graph) {
  tensorflow::GraphDef plain;
  *plain.mutable_versions() = graph.versions();
  *plain.mutable_library() = graph.library();
  for (const tensorflow::NodeDef& node : graph.node()) {
    if (is_copy_node(node.name()) || is_debug_node(node.name())) continue;
    tensorflow::NodeDef& kept = *plain.add_node();
    kept = node;
    kept.clear_input();
    for (const std::string& input : node.input()) {
      if (input.starts_with("^") && is_debug_node(input.substr(1))) continue;
      kept.add_input(input.starts_with("^") ? input : origin_of(input));
    }
  }
  return plain;
}

DebugGraph::DebugGraph(const tensorflow::GraphDef& graph, std::string device)
    : device_(std::move(device)), debug_graph_(graph), graph_(without_debug_nodes(graph)) {
  for (const tensorflow::NodeDef& def : graph_.node()) {
    names_.push_back(def.name());
    Node& node = nodes_[def.name()];
    node.op = def.op();
    node.device = def.device();
    node.attrs = def.attr();
    for (const std::string& input : def.input())
      (input.starts_with("^") ? node.controls : node.inputs)
          .push_back(input.starts_with("^") ? input.substr(1) : without_zero(input));
  }
  for (const std::string& name : names_) {
    const Node reader = nodes_[name];
    const auto note = [&](const std::string& input, bool is_control) {
      const auto it = nodes_.find(NodeOrTensor(input).node);
      if (it == nodes_.end()) return;
      auto& readers = is_control ? it->second.control_readers : it->second.readers;
      readers.push_back(name);
    };
    for (const std::string& input : reader.inputs) note(input, false);
    for (const std::string& input : reader.controls) note(input, true);
  }
}

const DebugGraph::Node* DebugGraph::find(const std::string& name) const {
  const auto it = nodes_.find(name);
  return it == nodes_.end() ? nullptr : &it->second;
}

}  // namespace rill::debugger
