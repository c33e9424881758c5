#include <google/protobuf/text_format.h>
#include <google/protobuf/util/message_differencer.h>

#include <set>

#include "rill/api/core/default_graph.h"
#include "rill/api/saver/meta_graph.h"
#include "rill/base/durable_files.h"
#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/graph/attr_proto.h"
#include "rill/graph/flow_context.h"
#include "rill/graph/graph_def.h"
#include "rill/graph/op_def.h"
#include "rill/graph/registry.h"
#include "tensorflow/core/protobuf/meta_graph.pb.h"

namespace rill::train {
namespace {

using tensorflow::GraphDef;
using tensorflow::MetaGraphDef;
using tensorflow::NodeDef;

constexpr const char* kTensorFlowVersion = "1.15.5";
constexpr const char* kUnboundInput = "$unbound_inputs_";

// --- a part of a graph ---------------------------------------------------------------------------

std::string input_in_scope(const std::string& name, const std::string& scope) {
  const bool control = name.starts_with('^');
  const std::string_view plain = std::string_view(name).substr(control ? 1 : 0);
  if (!plain.starts_with(scope + "/")) return name;
  return (control ? "^" : "") + std::string(plain.substr(scope.size() + 1));
}

bool below(std::string_view name, const std::string& scope) {
  if (name.starts_with('^')) name.remove_prefix(1);
  return name.starts_with(scope);
}

void take_out_of_scope(NodeDef& node, const std::string& scope,
                       std::vector<std::string>& unbound_inputs) {
  node.set_name(input_in_scope(node.name(), scope));
  for (std::string& input : *node.mutable_input()) {
    if (below(input, scope)) {
      input = input_in_scope(input, scope);
      continue;
    }
    const bool control = input.starts_with('^');
    input = (control ? "^" : "") + std::string(kUnboundInput) + input.substr(control ? 1 : 0);
    unbound_inputs.push_back(input);
  }
  for (auto& [name, value] : *node.mutable_attr()) {
    if (name == "_class") {
      tensorflow::AttrValue kept;
      for (const std::string& place : value.list().s()) {
        const std::string target = place.substr(place.find('@') + 1);
        if (below(target, scope))
          kept.mutable_list()->add_s("loc:@" + input_in_scope(target, scope));
      }
      value = kept;
    } else if (name == "frame_name" && below(value.s(), scope)) {
      value.set_s(input_in_scope(value.s(), scope));
    }
  }
}

// The name scopes of Savers, which is where their nodes are.
std::set<std::string> saver_scopes(const GraphDef& graph, const MetaGraphDef& def) {
  std::set<std::string> scopes;
  for (const NodeDef& node : graph.node())
    if (node.op() == "SaveV2" || node.op() == "SaveSlices" || node.op() == "RestoreV2")
      scopes.insert(parent_path(node.name()));
  scopes.erase("");
  if (def.has_saver_def()) {
    scopes.erase(parent_path(def.saver_def().save_tensor_name()));
    scopes.erase(parent_path(def.saver_def().restore_op_name()));
  }
  return scopes;
}

bool in_any(const std::string& name, const std::set<std::string>& scopes) {
  for (const std::string& scope : scopes)
    if (name.starts_with(scope + "/")) return true;
  return false;
}

void select_nodes(GraphDef& graph, const ExportMetaGraphOptions& options,
                  const std::set<std::string>& left_out, std::vector<std::string>& unbound_inputs) {
  GraphDef selected = graph;
  selected.clear_node();
  for (NodeDef& node : *graph.mutable_node()) {
    if (in_any(node.name(), left_out)) continue;
    if (!options.export_scope.empty()) {
      if (!node.name().starts_with(options.export_scope + "/")) continue;
      take_out_of_scope(node, options.export_scope, unbound_inputs);
    }
    if (options.clear_devices) node.clear_device();
    *selected.add_node() = std::move(node);
  }
  graph = std::move(selected);
}

// --- collections ---------------------------------------------------------------------------------

std::vector<std::string> collections_to_write(Graph& graph, const ExportMetaGraphOptions& options) {
  std::vector<std::string> names =
      options.collection_list ? *options.collection_list : collections_of(graph).names();
  if (options.collection_list) return names;
  for (FlowContext* context : graph.flows())
    if (const std::string key =
            context->is_loop() ? GraphKeys::WHILE_CONTEXT : GraphKeys::COND_CONTEXT;
        std::find(names.begin(), names.end(), key) == names.end())
      names.push_back(key);
  return names;
}

void write_collections(Graph& graph, const ExportMetaGraphOptions& options,
                       const std::set<std::string>& left_out, MetaGraphDef& def) {
  for (const std::string& name : collections_to_write(graph, options)) {
    tensorflow::CollectionDef collection = write_collection(graph, name, options.export_scope);
    if (collection.kind_case() == tensorflow::CollectionDef::KIND_NOT_SET) continue;
    if (name == GraphKeys::SAVERS && options.clear_extraneous_savers) {
      if (!def.has_saver_def()) continue;
      collection.mutable_bytes_list()->clear_value();
      collection.mutable_bytes_list()->add_value(def.saver_def().SerializeAsString());
    }
    if (collection.has_node_list() && !left_out.empty()) {
      auto* names = collection.mutable_node_list()->mutable_value();
      names->erase(std::remove_if(names->begin(), names->end(),
                                  [&](const std::string& node) { return in_any(node, left_out); }),
                   names->end());
    }
    (*def.mutable_collection_def())[name] = std::move(collection);
  }
}

void write_meta_graph(const MetaGraphDef& def, const std::string& path, bool as_text) {
  std::string bytes;
  if (as_text)
    google::protobuf::TextFormat::PrintToString(def, &bytes);
  else
    require(def.SerializeToString(&bytes), "The meta graph is larger than a message may be");
  if (const std::string directory = parent_path(path); !directory.empty())
    make_durable_directories(directory);
  publish_file(path, bytes);
}

}  // namespace

tensorflow::OpList ops_used_by(const GraphDef& graph, const Registry& registry) {
  std::set<std::string> names, functions;
  for (const auto& function : graph.library().function()) {
    functions.insert(function.signature().name());
    for (const NodeDef& node : function.node_def()) names.insert(node.op());
  }
  for (const NodeDef& node : graph.node()) names.insert(node.op());
  tensorflow::OpList list;
  for (const std::string& name : names) {
    if (functions.contains(name)) continue;
    const Op* op = registry.find(name);
    if (op == nullptr) continue;  // "_Arg" and the like
    tensorflow::OpDef* def = list.add_op();
    to_proto(*op, def);
    def->clear_summary();
    def->clear_description();
    for (auto& arg : *def->mutable_input_arg()) arg.clear_description();
    for (auto& arg : *def->mutable_output_arg()) arg.clear_description();
    for (auto& attr : *def->mutable_attr()) attr.clear_description();
  }
  return list;
}

void strip_default_attrs(GraphDef& graph, const Registry& registry) {
  const auto strip = [&](NodeDef& node) {
    const Op* op = registry.find(node.op());
    if (op == nullptr) return;
    for (const AttrSpec& attr : op->attrs) {
      const auto given = node.attr().find(attr.name);
      if (!attr.default_value || given == node.attr().end()) continue;
      tensorflow::AttrValue usual;
      to_proto(*attr.default_value, &usual);
      if (google::protobuf::util::MessageDifferencer::Equals(given->second, usual))
        node.mutable_attr()->erase(attr.name);
    }
  };
  for (NodeDef& node : *graph.mutable_node()) strip(node);
  for (auto& function : *graph.mutable_library()->mutable_function())
    for (NodeDef& node : *function.mutable_node_def()) strip(node);
}

MetaGraphDef export_meta_graph(const ExportMetaGraphOptions& options) {
  Graph& graph = options.graph != nullptr ? *options.graph : *default_graph();
  MetaGraphDef def;
  if (options.meta_info_def) *def.mutable_meta_info_def() = *options.meta_info_def;
  if (options.saver_def) *def.mutable_saver_def() = *options.saver_def;
  GraphDef& nodes = *def.mutable_graph_def();
  if (options.graph_def)
    nodes = *options.graph_def;
  else
    export_graph_def(graph, &nodes, {.add_shapes = true});
  std::set<std::string> left_out;
  if (options.clear_extraneous_savers) left_out = saver_scopes(nodes, def);
  std::vector<std::string> unbound_inputs;
  if (options.clear_devices || !left_out.empty() || !options.export_scope.empty())
    select_nodes(nodes, options, left_out, unbound_inputs);
  if (options.strip_default_attrs) strip_default_attrs(nodes, graph.registry());
  tensorflow::MetaGraphDef::MetaInfoDef& info = *def.mutable_meta_info_def();
  info.set_tensorflow_version(kTensorFlowVersion);
  info.set_tensorflow_git_version("rill");
  info.set_stripped_default_attrs(options.strip_default_attrs);
  if (info.stripped_op_list().op().empty())
    *info.mutable_stripped_op_list() = ops_used_by(nodes, graph.registry());
  write_collections(graph, options, left_out, def);
  if (!unbound_inputs.empty() && !options.unbound_inputs_col_name.empty()) {
    auto& names =
        *(*def.mutable_collection_def())[options.unbound_inputs_col_name].mutable_bytes_list();
    for (const std::string& input : unbound_inputs) names.add_value(input);
  }
  if (!options.filename.empty()) write_meta_graph(def, options.filename, options.as_text);
  return def;
}

}  // namespace rill::train
