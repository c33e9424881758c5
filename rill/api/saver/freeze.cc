#include "rill/api/saver/freeze.h"

#include "rill/api/graph_util/inline_functions.h"
#include "rill/api/saver/checkpoint_state.h"
#include "rill/api/saver/checkpoint_utils.h"
#include "rill/api/saver/saved_model_loader.h"
#include "rill/base/error.h"
#include "rill/graph/graph_def.h"
#include "tensorflow/core/protobuf/meta_graph.pb.h"

namespace rill::saved_model {
namespace {

using tensorflow::GraphDef;
using tensorflow::NodeDef;

bool is_variable(const NodeDef& node) {
  return node.op() == "VariableV2" || node.op() == "Variable" || node.op() == "VarHandleOp";
}

// The tensor, or where a graph has no node that reads a variable, one that does.
std::string readable(Graph& graph, const std::string& tensor) {
  constexpr std::string_view kRead = "/Read/ReadVariableOp:0";
  if (!tensor.ends_with(kRead) || graph.find(tensor.substr(0, tensor.size() - 2)) != nullptr)
    return tensor;
  Node& variable = graph.at(tensor.substr(0, tensor.size() - kRead.size()));
  const Node& read = graph.add({.op = "ReadVariableOp",
                                .name = graph.unique_name(variable.name() + "/frozen"),
                                .inputs = {variable.output()},
                                .attrs = {{"dtype", variable.attrs().at("dtype")}}});
  return read.name() + ":0";
}

GraphDef frozen(Session& session, GraphDef graph, const FreezeModelOptions& options) {
  require(!options.output_node_names.empty(),
          "You need to supply the name of a node to --output_node_names.");
  if (options.clear_devices)
    for (NodeDef& node : *graph.mutable_node()) node.clear_device();
  for (const std::string& name : options.initializer_nodes) session.run({}, {}, {name});
  if (graph_util::passes_variables_to_functions(graph))
    graph = graph_util::inline_functions(
        graph_util::extract_sub_graph(graph, options.output_node_names));
  const auto read = [&](const std::vector<std::string>& names) {
    std::vector<std::string> fetches;
    for (const std::string& name : names) fetches.push_back(readable(session.graph(), name));
    return session.run({}, fetches);
  };
  return graph_util::convert_variables_to_constants(graph, options.output_node_names, read,
                                                    options.variables);
}

// A graph in a file: itself, or what a meta graph holds.
tensorflow::MetaGraphDef read_any_graph(const std::string& path) {
  if (path.ends_with(".meta")) return train::read_meta_graph_file(path);
  tensorflow::MetaGraphDef meta;
  *meta.mutable_graph_def() = graph_util::read_graph_def(path);
  return meta;
}

// Gives the variables of the graph the values that the checkpoint has under their names.
void restore_by_name(Session& session, const GraphDef& graph, const std::string& checkpoint) {
  const auto reader = train::load_checkpoint(checkpoint);
  std::vector<Node*> assigns;
  for (const NodeDef& def : graph.node()) {
    if (!is_variable(def) || !reader->tensors().contains(def.name())) continue;
    const Output variable = default_graph()->at(def.name()).output(0);
    const Tensor value = reader->read(def.name());
    Scope& scope = current_scope();
    const char* const assign = def.op() == "VarHandleOp" ? "AssignVariableOp" : "Assign";
    assigns.push_back(&scope.add(assign, {variable, value}));
  }
  require(
      !assigns.empty(),
      "No variables were found in this model. It is likely the model was frozen previously. You "
      "cannot freeze a graph twice.");
  session.run(std::span<const Feed>(), std::span<const Output>(), std::span(assigns));
}

void add_answers(const tensorflow::SignatureDef& signature, std::set<std::string>& nodes) {
  const auto add = [&](const std::string& tensor) {
    if (!tensor.empty()) nodes.insert(tensor.substr(0, tensor.find(':')));
  };
  for (const auto& [name, info] : signature.outputs()) {
    add(info.name());
    add(info.coo_sparse().values_tensor_name());
    add(info.coo_sparse().indices_tensor_name());
    add(info.coo_sparse().dense_shape_tensor_name());
  }
}

}  // namespace

std::vector<std::string> answers_of(const tensorflow::MetaGraphDef& graph) {
  std::set<std::string> nodes;
  for (const auto& [key, signature] : graph.signature_def())
    if (!key.starts_with("__")) add_answers(signature, nodes);
  return {nodes.begin(), nodes.end()};
}

GraphDef freeze_saved_model(const std::string& export_dir, const FreezeModelOptions& options) {
  Bundle bundle = load(export_dir, split_tag_set(options.tag_set));
  FreezeModelOptions full = options;
  if (full.output_node_names.empty()) full.output_node_names = answers_of(bundle.meta_graph);
  return frozen(*bundle.session, bundle.meta_graph->graph_def(), full);
}

Bundle restore_graph(const std::string& graph_file, const std::string& checkpoint,
                     bool clear_devices) {
  require(train::checkpoint_exists(checkpoint), "Input checkpoint '", checkpoint,
          "' doesn't exist!");
  Bundle bundle;
  bundle.meta_graph = read_any_graph(graph_file);
  bundle.graph = make_graph();
  const AsDefault in_graph(bundle.graph);
  const train::ImportedMetaGraph imported =
      train::import_meta_graph(bundle.meta_graph, {.clear_devices = clear_devices});
  bundle.session = std::make_unique<Session>(bundle.graph);
  if (imported.saver_def)
    train::Saver(train::SaverOptions{.saver_def = imported.saver_def})
        .restore(*bundle.session, checkpoint);
  else
    restore_by_name(*bundle.session, bundle.meta_graph->graph_def(), checkpoint);
  return bundle;
}

GraphDef freeze_graph(const std::string& graph_file, const std::string& checkpoint,
                      const FreezeModelOptions& options) {
  Bundle bundle = restore_graph(graph_file, checkpoint, options.clear_devices);
  return frozen(*bundle.session, bundle.meta_graph->graph_def(), options);
}

GraphDef freeze_session(Session& session, const FreezeModelOptions& options) {
  return frozen(session, export_graph_def(session.graph()), options);
}

}  // namespace rill::saved_model
