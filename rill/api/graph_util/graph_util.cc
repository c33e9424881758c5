#include "rill/api/graph_util/graph_util.h"

#include <algorithm>
#include <map>

#include "rill/api/graph_util/input_names.h"
#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/base/text.h"
#include "rill/io/parse_message.h"
#include "rill/io/parse_text.h"
#include "rill/tensor/tensor_proto.h"
#include "tensorflow/core/framework/graph.pb.h"

namespace rill::graph_util {
namespace {

using tensorflow::GraphDef;
using tensorflow::NodeDef;

std::string node_name_of(std::string_view input) { return std::string(node_of(input)); }

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
    for (const std::string& input : found->second->input()) waiting.push_back(node_name_of(input));
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
    for (std::string& input : *node.mutable_input()) {
      std::size_t steps = 0;
      for (auto it = replaced.find(node_name_of(input)); it != replaced.end();
           it = replaced.find(node_name_of(input))) {
        require(steps++ < replaced.size(), "The graph has a cycle at ", input);
        input = is_control(input) ? "^" + node_name_of(it->second) : it->second;
      }
    }
  return result;
}

// An Identity stays where something waits for it alone, where it waits for something itself, and
// where its input is one of several outputs.
std::map<std::string, std::string> identities(const GraphDef& graph,
                                              const std::set<std::string>& kept) {
  std::set<std::string> waited_for;
  for (const NodeDef& node : graph.node())
    for (const std::string& input : node.input())
      if (is_control(input)) waited_for.insert(node_name_of(input));
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
    for (std::string& input : *copy->mutable_input()) {
      std::size_t steps = 0;
      for (auto it = passed.find(input); it != passed.end(); it = passed.find(input)) {
        require(steps++ < passed.size(), "The graph has a cycle at ", input);
        input = it->second;
      }
    }
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

// Which nodes stand for a variable's handle, and so for its value once that is a constant: the
// variable itself, and what passes handles on into branches and loops.
std::map<std::string, tensorflow::DataType> handles_in(
    const GraphDef& graph, const std::map<std::string, const Tensor*>& values) {
  std::map<std::string, tensorflow::DataType> handles;
  for (const NodeDef& node : graph.node())
    if (const auto found = values.find(node.name());
        found != values.end() && node.op() == "VarHandleOp")
      handles[node.name()] = static_cast<tensorflow::DataType>(found->second->dtype());
  for (std::size_t before = 0; before != handles.size();) {
    before = handles.size();
    for (const NodeDef& node : graph.node())
      if (is_one_of(node.op(), {"Enter", "Exit", "Identity", "Merge", "NextIteration", "Switch"}) &&
          node.input_size() > 0 && !handles.contains(node.name()))
        if (const auto from = handles.find(node_name_of(node.input(0))); from != handles.end())
          handles[node.name()] = from->second;
  }
  return handles;
}

void keep_attrs(NodeDef& node, std::initializer_list<const char*> names) {
  google::protobuf::Map<std::string, tensorflow::AttrValue> kept;
  for (const char* name : names)
    if (const auto found = node.attr().find(name); found != node.attr().end())
      kept[name] = found->second;
  *node.mutable_attr() = std::move(kept);
}

// ReadVariableOp passes its input on; it need not wait for anything.
void become_identity(NodeDef& node, tensorflow::DataType type) {
  node.set_op("Identity");
  node.mutable_input()->DeleteSubrange(1, node.input_size() - 1);
  keep_attrs(node, {"_class"});
  (*node.mutable_attr())["T"].set_type(type);
}

// Takes rows of a value as the op took them of a variable. Returns the constant that it needs.
NodeDef become_gather(NodeDef& node, tensorflow::DataType type) {
  if (const auto batch = node.attr().find("batch_dims"); batch != node.attr().end())
    require(batch->second.i() == 0, "The node ", node.name(), " has batch_dims=", batch->second.i(),
            ", which cannot be frozen");
  const auto indices = node.attr().find("Tindices");
  const bool is_long =
      indices != node.attr().end() && indices->second.type() == tensorflow::DT_INT64;
  NodeDef axis = constant_node(node.name() + "/axis", is_long ? Tensor::scalar<std::int64_t>(0)
                                                              : Tensor::scalar<std::int32_t>(0));
  node.set_op("GatherV2");
  // Control inputs stand last.
  node.add_input(axis.name());
  for (int i = node.input_size() - 1; i > 2; --i) node.mutable_input()->SwapElements(i, i - 1);
  keep_attrs(node, {"Tindices", "_class"});
  (*node.mutable_attr())["Tparams"].set_type(type);
  (*node.mutable_attr())["Taxis"] = axis.attr().at("dtype");
  return axis;
}

// What a node that got a handle becomes when it gets the value.
void take_value(NodeDef node, const std::string& variable, tensorflow::DataType type,
                bool passes_on, GraphDef& graph) {
  if (passes_on) {
    node.mutable_attr()->erase("_output_shapes");
    (*node.mutable_attr())["T"].set_type(type);
  } else if (node.op() == "ReadVariableOp") {
    become_identity(node, type);
  } else if (node.op() == "ResourceGather" && node.input_size() >= 2) {
    *graph.add_node() = become_gather(node, type);
  } else if (node.op() == "ResourceGatherNd") {
    node.set_op("GatherNd");
    keep_attrs(node, {"Tindices", "_class"});
    (*node.mutable_attr())["Tparams"].set_type(type);
  } else if (node.op() == "VariableShape") {
    node.set_op("Shape");
    keep_attrs(node, {"out_type", "_class"});
    (*node.mutable_attr())["T"].set_type(type);
  } else {
    raise(Code::kUnimplemented, "The node ", node.name(), " (", node.op(), ") takes the variable ",
          variable, " itself and not its value, so that cannot become a constant");
  }
  *graph.add_node() = std::move(node);
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

  const auto handles = handles_in(part, found);
  GraphDef result = empty_like(graph);
  for (const NodeDef& node : part.node()) {
    const auto it = found.find(node.name());
    auto from = handles.end();
    for (const std::string& input : node.input())
      if (from == handles.end() && !is_control(input)) from = handles.find(node_name_of(input));
    if (it != found.end())
      *result.add_node() = constant_node(node.name(), *it->second);
    else if (from != handles.end())
      take_value(node, from->first, from->second, handles.contains(node.name()), result);
    else
      *result.add_node() = node;
  }
  return result;
}

}  // namespace rill::graph_util
