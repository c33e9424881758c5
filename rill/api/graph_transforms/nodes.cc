// Transforms that take nodes away.
#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "rill/api/graph_transforms/graph_editor.h"
#include "rill/api/graph_transforms/transforms.h"
#include "rill/api/graph_util/graph_util.h"
#include "rill/base/error.h"
#include "rill/tensor/dtype.h"
#include "rill/tensor/tensor_proto.h"

namespace rill::graph_transforms {
namespace {

using tensorflow::GraphDef;
using tensorflow::NodeDef;

struct Fed {
  std::string type, shape;  // "": as the node has it
};

// "1,299,299,3"; "": a scalar.
PartialShape parse_shape(const std::string& text) {
  PartialShape shape = PartialShape::scalar();
  if (text.empty()) return shape;
  for (const std::string_view size : split(text, ',')) {
    long long value = 0;
    require(parse_int(strip(size), &value) && value >= -1, "'", text, "' is no shape");
    shape.add_dim(value);
  }
  return shape;
}

std::unordered_map<std::string, Fed> fed_nodes(const Context& context) {
  const Transform& transform = context.transform;
  std::unordered_map<std::string, Fed> fed;
  for (const std::string& name : context.inputs)
    fed[name] = {transform.one_or("type", ""), transform.one_or("shape", "")};
  const Names &names = transform.all("name"), &types = transform.all("type_for_name"),
              &shapes = transform.all("shape_for_name");
  require(names.size() == types.size() && names.size() == shapes.size(),
          "You must supply one type_for_name and one shape_for_name for each name: ", names.size(),
          " names, ", types.size(), " types, ", shapes.size(), " shapes");
  for (std::size_t i = 0; i < names.size(); ++i) fed[names[i]] = {types[i], shapes[i]};
  return fed;
}

DType value_type(const NodeDef& node, const std::string& wanted) {
  DType type = DType::f32;
  if (!wanted.empty()) {
    require(parse_dtype(wanted, &type), "'", wanted, "' is no type");
    return type;
  }
  for (const char* name : {"dtype", "DstT", "out_type", "T"})
    if (const auto found = node.attr().find(name); found != node.attr().end())
      return base_type(dtype_from_proto(found->second.type()));
  return type;
}

NodeDef placeholder_for(const NodeDef& node, const Fed& fed) {
  NodeDef placeholder;
  placeholder.set_name(node.name());
  placeholder.set_op("Placeholder");
  auto& attrs = *placeholder.mutable_attr();
  attrs["dtype"].set_type(static_cast<tensorflow::DataType>(value_type(node, fed.type)));
  const auto shape = node.attr().find("shape");
  if (!fed.shape.empty())
    to_proto(parse_shape(fed.shape), attrs["shape"].mutable_shape());
  else if (shape != node.attr().end())
    attrs["shape"] = shape->second;
  else
    attrs["shape"].mutable_shape()->set_unknown_rank(true);
  return placeholder;
}

bool is_placeholder(const NodeDef& node) { return node.op().starts_with("Placeholder"); }

void add_control(NodeDef& node, const std::string& control) {
  if (std::ranges::find(node.input(), control) == node.input().end()) node.add_input(control);
}

}  // namespace

GraphDef strip_unused_nodes(GraphDef graph, const Context& context) {
  const auto fed = fed_nodes(context);
  for (NodeDef& node : *graph.mutable_node()) {
    const auto found = fed.find(node.name());
    if (found == fed.end()) continue;
    const bool as_it_is = found->second.type.empty() && found->second.shape.empty();
    if (!is_placeholder(node) || !as_it_is) node = placeholder_for(node, found->second);
  }
  Names needed = context.outputs;
  require(!needed.empty(), "strip_unused_nodes needs the names of outputs");
  const auto there = [&](const std::string& name) {
    return std::ranges::any_of(graph.node(), [&](const NodeDef& n) { return n.name() == name; });
  };
  for (const std::string& name : context.inputs)
    if (!there(name)) raise(Code::kNotFound, name, " is not in graph");
  return graph_util::extract_sub_graph(graph, needed);
}

GraphDef remove_training_nodes(GraphDef graph, const Context& context) {
  const Names kept = context.kept();
  return graph_util::remove_training_nodes(graph, {kept.begin(), kept.end()});
}

GraphDef remove_nodes(GraphDef graph, const Context& context) {
  const Names& ops = context.transform.all("op");
  require(!ops.empty(), "remove_nodes expects at least one op argument");
  const long long max_inputs = context.transform.int_or("max_inputs", 1);
  const Names kept_names = context.kept();
  std::unordered_set<std::string> kept(kept_names.begin(), kept_names.end()), waited_for;
  for (const NodeDef& node : graph.node())
    for (const std::string& input : node.input())
      if (is_control(input)) waited_for.emplace(node_of(input));
  // What is around a node: its first input, and what it waits for.
  std::unordered_map<std::string, NodeDef> around;
  for (const NodeDef& node : graph.node()) {
    const auto data = std::ranges::count_if(
        node.input(), [](const std::string& input) { return !is_control(input); });
    // Who waits for the node alone would wait for something else.
    if (std::ranges::find(ops, node.op()) != ops.end() && data >= 1 && data <= max_inputs &&
        !kept.contains(node.name()) && !waited_for.contains(node.name()))
      around[node.name()] = node;
  }
  auto& nodes = *graph.mutable_node();
  for (NodeDef& node : nodes) {
    std::set<std::string> controls;
    for (int i = 0; i < node.input_size(); ++i) {
      std::size_t steps = 0;
      for (auto it = around.find(node.input(i)); it != around.end();
           it = around.find(node.input(i))) {
        require(steps++ < around.size(), "The graph has a cycle at ", node.input(i));
        for (const std::string& input : it->second.input())
          if (is_control(input)) controls.insert(input);
        node.set_input(i, it->second.input(0));
      }
    }
    for (const std::string& control : controls) add_control(node, control);
  }
  nodes.erase(std::remove_if(nodes.begin(), nodes.end(),
                             [&](const NodeDef& node) { return around.contains(node.name()); }),
              nodes.end());
  return graph;
}

GraphDef remove_control_dependencies(GraphDef graph, const Context&) {
  for (NodeDef& node : *graph.mutable_node()) {
    auto& inputs = *node.mutable_input();
    inputs.erase(std::remove_if(inputs.begin(), inputs.end(),
                                [](const std::string& input) { return is_control(input); }),
                 inputs.end());
  }
  return graph;
}

GraphDef backport_concatv2(GraphDef graph, const Context&) {
  for (NodeDef& node : *graph.mutable_node()) {
    if (node.op() != "ConcatV2") continue;
    node.set_op("Concat");
    node.mutable_attr()->erase("Tidx");
    // The axis comes first.
    const auto& number = node.attr().find("N");
    require(number != node.attr().end() && number->second.i() > 0 &&
                number->second.i() < node.input_size(),
            "The node ", node.name(), " has not as many inputs as its attribute N says");
    for (int i = static_cast<int>(number->second.i()); i > 0; --i)
      node.mutable_input()->SwapElements(i, i - 1);
  }
  return graph;
}

}  // namespace rill::graph_transforms
