#include "rill/api/graph_util/graph_util.h"

#include <algorithm>
#include <map>

#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/base/text.h"
#include "rill/io/parse_message.h"
#include "rill/io/parse_text.h"
#include "rill/tensor/tensor_proto.h"

namespace rill::graph_util {
namespace {

using tensorflow::GraphDef;
using tensorflow::NodeDef;

bool is_control(std::string_view input) { return input.starts_with('^'); }

// "^x", "x:1" and "x" are all inputs from the node x.
std::string node_of(std::string_view input) {
  if (is_control(input)) return std::string(input.substr(1));
  return std::string(input.substr(0, input.find(':')));
}

bool is_one_of(std::string_view op, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), op) != names.end();
}

std::map<std::string, const NodeDef*> by_name(const GraphDef& graph) {
  std::map<std::string, const NodeDef*> nodes;
  for (const NodeDef& node : graph.node()) nodes[node.name()] = &node;
  return nodes;
}

GraphDef empty_like(const GraphDef& graph) {
  GraphDef result;
  *result.mutable_library() = graph.library();
  *result.mutable_versions() = graph.versions();
  return result;
}

bool has_type(const NodeDef& node, const char* attr, tensorflow::DataType type) {
  const auto found = node.attr().find(attr);
  return found != node.attr().end() && found->second.type() == type;
}

}  // namespace

GraphDef read_graph_def(const std::string& path) {
  const std::string bytes = read_file(path);
  GraphDef graph;
  if (!parse_message(bytes, &graph))
    require(parse_text(bytes, &graph), "Cannot parse ", path,
            ": it is no GraphDef, binary or text");
  return graph;
}

GraphDef extract_sub_graph(const GraphDef& graph, std::span<const std::string> dest_nodes) {
  const auto nodes = by_name(graph);
  std::vector<std::string> waiting(dest_nodes.begin(), dest_nodes.end());
  for (const std::string& name : waiting)
    if (!nodes.contains(name)) raise(Code::kNotFound, name, " is not in graph");
  std::set<std::string> needed;
  while (!waiting.empty()) {
    const std::string name = std::move(waiting.back());
    waiting.pop_back();
    if (!needed.insert(name).second) continue;
    const auto found = nodes.find(name);
    if (found == nodes.end()) raise(Code::kNotFound, name, " is not in graph");
    for (const std::string& input : found->second->input()) waiting.push_back(node_of(input));
  }
  GraphDef result = empty_like(graph);
  for (const NodeDef& node : graph.node())
    if (needed.contains(node.name())) *result.add_node() = node;
  return result;
}

bool must_run_on_cpu(const NodeDef& node, bool pin_variables_on_cpu) {
  const std::string& op = node.op();
  if (pin_variables_on_cpu &&
      is_one_of(op, {"Assign", "AssignAdd", "AssignSub", "Queue", "ScatterAdd", "ScatterSub",
                     "ScatterUpdate", "TruncatedNormal", "Variable", "VariableV2"}))
    return true;
  if (op == "Const")
    return has_type(node, "dtype", tensorflow::DT_STRING) ||
           has_type(node, "dtype", tensorflow::DT_INT32);
  if (op == "DynamicStitch") return has_type(node, "T", tensorflow::DT_INT32);
  return op == "Cast" && has_type(node, "SrcT", tensorflow::DT_INT32);
}

// --- passing on ----------------------------------------------------------------------------------

namespace {

GraphDef without_checks(const GraphDef& graph, const std::set<std::string>& kept) {
  std::map<std::string, std::string> replaced;
  GraphDef result = empty_like(graph);
  for (const NodeDef& node : graph.node()) {
    const bool passes_on =
        node.op() == "CheckNumerics" && node.input_size() > 0 && !kept.contains(node.name());
    if (passes_on)
      replaced[node.name()] = node.input(0);
    else
      *result.add_node() = node;
  }
  for (NodeDef& node : *result.mutable_node())
    for (std::string& input : *node.mutable_input())
      for (auto it = replaced.find(node_of(input)); it != replaced.end();
           it = replaced.find(node_of(input)))
        input = is_control(input) ? "^" + node_of(it->second) : it->second;
  return result;
}

// An Identity stays where something waits for it alone, where it waits for something itself, and
// where its input is one of several outputs.
std::map<std::string, std::string> identities(const GraphDef& graph,
                                              const std::set<std::string>& kept) {
  std::set<std::string> waited_for;
  for (const NodeDef& node : graph.node())
    for (const std::string& input : node.input())
      if (is_control(input)) waited_for.insert(node_of(input));
  std::map<std::string, std::string> passed;
  for (const NodeDef& node : graph.node()) {
    if (node.op() != "Identity" || node.input_size() != 1 || kept.contains(node.name())) continue;
    if (is_control(node.input(0)) || waited_for.contains(node.name())) continue;
    if (node.input(0).find(':') != std::string::npos) continue;
    passed[node.name()] = node.input(0);
  }
  return passed;
}

}  // namespace

GraphDef remove_training_nodes(const GraphDef& graph,
                               const std::set<std::string>& protected_nodes) {
  const GraphDef checked = without_checks(graph, protected_nodes);
  const auto passed = identities(checked, protected_nodes);
  GraphDef result = empty_like(graph);
  for (const NodeDef& node : checked.node()) {
    if (passed.contains(node.name())) continue;
    NodeDef* copy = result.add_node();
    *copy = node;
    for (std::string& input : *copy->mutable_input())
      for (auto it = passed.find(input); it != passed.end(); it = passed.find(input))
        input = it->second;
  }
  return result;
}

// --- freezing ------------------------------------------------------------------------------------

namespace {

NodeDef constant_node(const std::string& name, const Tensor& value) {
  NodeDef node;
  node.set_name(name);
  node.set_op("Const");
  auto& attrs = *node.mutable_attr();
  attrs["dtype"].set_type(static_cast<tensorflow::DataType>(value.dtype()));
  to_proto(value, attrs["value"].mutable_tensor());
  return node;
}

}  // namespace

GraphDef convert_variables_to_constants(const GraphDef& graph,
                                        std::span<const std::string> output_node_names,
                                        const ReadTensors& read, const FreezeOptions& options) {
  const GraphDef part = extract_sub_graph(graph, output_node_names);
  std::vector<std::string> variables, tensors;
  for (const NodeDef& node : part.node()) {
    if (!is_one_of(node.op(), {"Variable", "VariableV2", "VarHandleOp"})) continue;
    if (!options.whitelist.empty() && !options.whitelist.contains(node.name())) continue;
    if (options.blacklist.contains(node.name())) continue;
    variables.push_back(node.name());
    tensors.push_back(node.op() == "VarHandleOp" ? node.name() + "/Read/ReadVariableOp:0"
                                                 : node.name() + ":0");
  }
  std::vector<Tensor> values;
  if (!tensors.empty()) values = read(tensors);
  require(values.size() == tensors.size(), "expected ", tensors.size(), " values, got ",
          values.size());
  std::map<std::string, const Tensor*> found;
  for (std::size_t i = 0; i < variables.size(); ++i) found[variables[i]] = &values[i];

  GraphDef result = empty_like(graph);
  for (const NodeDef& node : part.node()) {
    if (const auto it = found.find(node.name()); it != found.end()) {
      *result.add_node() = constant_node(node.name(), *it->second);
      continue;
    }
    NodeDef* copy = result.add_node();
    *copy = node;
    if (node.op() == "ReadVariableOp" && node.input_size() > 0 &&
        found.contains(node_of(node.input(0)))) {
      copy->set_op("Identity");
      const tensorflow::AttrValue type = node.attr().at("dtype");
      copy->mutable_attr()->erase("dtype");
      (*copy->mutable_attr())["T"] = type;
    }
  }
  return result;
}

}  // namespace rill::graph_util
