#include "rill/api/graph_transforms/inference.h"

#include <algorithm>
#include <unordered_set>

#include "rill/api/graph_transforms/graph_editor.h"
#include "rill/api/graph_transforms/transforms.h"
#include "rill/api/graph_util/graph_util.h"
#include "rill/base/error.h"

namespace rill::graph_transforms {
namespace {

using tensorflow::GraphDef;
using tensorflow::NodeDef;

void become_placeholder(NodeDef& node, DType type) {
  NodeDef placeholder;
  placeholder.set_name(node.name());
  placeholder.set_op("Placeholder");
  auto& attrs = *placeholder.mutable_attr();
  attrs["dtype"].set_type(static_cast<tensorflow::DataType>(type));
  for (const char* name : {"_output_shapes", "shape"})
    if (const auto found = node.attr().find(name); found != node.attr().end())
      attrs[name] = found->second;
  node.Swap(&placeholder);
}

}  // namespace

GraphDef strip_unused(const GraphDef& graph, const Names& input_node_names,
                      const Names& output_node_names, const std::vector<DType>& types) {
  require(types.size() == 1 || types.size() == input_node_names.size(), "There are ", types.size(),
          " types for ", input_node_names.size(), " inputs");
  for (const std::string& name : input_node_names)
    require(name.find(':') == std::string::npos, "Name '", name,
            "' appears to refer to a Tensor, not an Operation.");
  GraphDef fed = graph;
  std::unordered_set<std::string> missing(input_node_names.begin(), input_node_names.end());
  for (NodeDef& node : *fed.mutable_node()) {
    const auto found = std::ranges::find(input_node_names, node.name());
    if (found == input_node_names.end()) continue;
    missing.erase(node.name());
    const auto position = static_cast<std::size_t>(found - input_node_names.begin());
    become_placeholder(node, types.size() == 1 ? types[0] : types[position]);
  }
  if (!missing.empty())
    raise(Code::kNotFound, "The following input nodes were not found: {'",
          join(Names(missing.begin(), missing.end()), "', '"), "'}.");
  return graph_util::extract_sub_graph(fed, output_node_names);
}

void ensure_graph_is_valid(const GraphDef& graph) {
  std::unordered_set<std::string_view> names;
  for (const NodeDef& node : graph.node())
    require(names.insert(node.name()).second, "Duplicate node names detected for ", node.name());
  for (const NodeDef& node : graph.node())
    for (const std::string& input : node.input())
      require(names.contains(node_of(input)), "Input for ", node.name(), " not found: ", input);
}

GraphDef optimize_for_inference(const GraphDef& graph, const Names& input_node_names,
                                const Names& output_node_names, const std::vector<DType>& types,
                                bool toco_compatible) {
  ensure_graph_is_valid(graph);
  GraphDef result = transform_graph(
      strip_unused(graph, input_node_names, output_node_names, types), input_node_names,
      output_node_names,
      toco_compatible ? "remove_training_nodes fold_old_batch_norms"
                      : "remove_training_nodes fold_old_batch_norms fuse_resize_and_conv");
  ensure_graph_is_valid(result);
  return result;
}

}  // namespace rill::graph_transforms
