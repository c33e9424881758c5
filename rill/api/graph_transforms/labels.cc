// Transforms of names, attributes and devices.
#include <unordered_map>
#include <unordered_set>

#include "rill/api/graph_transforms/graph_editor.h"
#include "rill/api/graph_transforms/transforms.h"
#include "rill/base/error.h"
#include "rill/graph/attr_proto.h"
#include "rill/graph/registry.h"
#include "rill/ops/register.h"

namespace rill::graph_transforms {
namespace {

using tensorflow::GraphDef;
using tensorflow::NodeDef;

bool is_of(const NodeDef& node, const std::string& op) { return op == "*" || node.op() == op; }

// Gives nodes other names, where they are read and where others want to be beside them too.
void rename(GraphDef& graph, const std::unordered_map<std::string, std::string>& names) {
  const auto renamed = [&](std::string_view name) -> const std::string* {
    const auto found = names.find(std::string(name));
    return found == names.end() ? nullptr : &found->second;
  };
  for (NodeDef& node : *graph.mutable_node()) {
    if (const std::string* name = renamed(node.name())) node.set_name(*name);
    for (std::string& input : *node.mutable_input())
      if (const std::string* name = renamed(node_of(input))) {
        const std::string_view old = node_of(input);
        const std::string output = is_control(input) ? "" : input.substr(old.size());
        input = is_control(input) ? "^" + *name : *name + output;
      }
    if (const auto wishes = node.mutable_attr()->find("_class");
        wishes != node.mutable_attr()->end())
      for (std::string& wish : *wishes->second.mutable_list()->mutable_s())
        if (wish.starts_with("loc:@"))
          if (const std::string* name = renamed(wish.substr(5))) wish = "loc:@" + *name;
  }
}

// 0 is "a", 25 "z", 26 "aa": short, and names of nodes.
std::string short_name(std::size_t number) {
  std::string name;
  for (++number; number > 0; number = (number - 1) / 26)
    name.insert(name.begin(), static_cast<char>('a' + (number - 1) % 26));
  return name;
}

}  // namespace

GraphDef add_default_attributes(GraphDef graph, const Context&) {
  for (NodeDef& node : *graph.mutable_node()) {
    const Op* op = standard_ops().find(node.op());
    if (op == nullptr) continue;
    for (const AttrSpec& spec : op->attrs)
      if (spec.default_value && !node.attr().contains(spec.name))
        to_proto(*spec.default_value, &(*node.mutable_attr())[spec.name]);
  }
  return graph;
}

GraphDef obfuscate_names(GraphDef graph, const Context& context) {
  const Names kept_names = context.kept();
  const std::unordered_set<std::string> kept(kept_names.begin(), kept_names.end());
  std::unordered_map<std::string, std::string> names;
  std::size_t next = 0;
  for (const NodeDef& node : graph.node()) {
    if (kept.contains(node.name())) continue;
    std::string name = short_name(next++);
    while (kept.contains(name)) name = short_name(next++);
    names[node.name()] = name;
  }
  rename(graph, names);
  return graph;
}

GraphDef remove_attribute(GraphDef graph, const Context& context) {
  const std::string attribute = context.transform.one("attribute_name");
  const std::string op = context.transform.one_or("op_name", "*");
  for (NodeDef& node : *graph.mutable_node())
    if (is_of(node, op)) node.mutable_attr()->erase(attribute);
  return graph;
}

GraphDef rename_attribute(GraphDef graph, const Context& context) {
  const std::string from = context.transform.one("old_attribute_name");
  const std::string to = context.transform.one("new_attribute_name");
  const std::string op = context.transform.one_or("op_name", "*");
  for (NodeDef& node : *graph.mutable_node()) {
    const auto found = node.attr().find(from);
    if (!is_of(node, op) || found == node.attr().end()) continue;
    const tensorflow::AttrValue value = found->second;
    node.mutable_attr()->erase(from);
    (*node.mutable_attr())[to] = value;
  }
  return graph;
}

GraphDef rename_node(GraphDef graph, const Context& context) {
  const std::string from = context.transform.one("old_node_name");
  const std::string to = context.transform.one("new_node_name");
  for (const NodeDef& node : graph.node())
    require(node.name() != to, "There is a node ", to, " already");
  rename(graph, {{from, to}});
  return graph;
}

GraphDef rename_op(GraphDef graph, const Context& context) {
  const std::string from = context.transform.one("old_op_name");
  const std::string to = context.transform.one("new_op_name");
  for (NodeDef& node : *graph.mutable_node())
    if (node.op() == from) node.set_op(to);
  return graph;
}

GraphDef remove_device(GraphDef graph, const Context&) {
  for (NodeDef& node : *graph.mutable_node()) node.clear_device();
  return graph;
}

GraphDef set_device(GraphDef graph, const Context& context) {
  const std::string device = context.transform.one_or("device", "");
  const bool if_default = context.transform.bool_or("if_default", false);
  for (NodeDef& node : *graph.mutable_node())
    if (!if_default || node.device().empty()) node.set_device(device);
  return graph;
}

}  // namespace rill::graph_transforms
