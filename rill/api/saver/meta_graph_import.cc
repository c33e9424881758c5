#include "rill/api/core/default_graph.h"
#include "rill/api/saver/meta_graph.h"
#include "rill/api/variables/variable_lists.h"
#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/graph/flow_context.h"
#include "rill/graph/graph_def.h"
#include "rill/io/parse_message.h"
#include "rill/io/parse_text.h"
#include "tensorflow/core/protobuf/meta_graph.pb.h"

namespace rill::train {
namespace {

using tensorflow::MetaGraphDef;

// What the graph needs from outside must be given.
void check_unbound(const MetaGraphDef& def, const ImportMetaGraphOptions& options) {
  const auto unbound = def.collection_def().find(options.unbound_inputs_col_name);
  if (unbound == def.collection_def().end()) return;
  std::vector<std::string> missing;
  for (const std::string& name : unbound->second.bytes_list().value())
    if (!options.input_map.contains(name)) missing.push_back(name);
  require(missing.empty(), "Graph contains unbound inputs: ", join(missing, ", "),
          ". Must provide these inputs through input_map.");
}

// The scope's name without its closing slash, made unique.
std::string scope_for(const std::string& wanted) {
  if (wanted.empty()) return {};
  return current_scope().named(wanted).name();
}

void name_variables(ImportedMetaGraph& imported) {
  const std::string prefix = imported.scope.empty() ? "" : imported.scope + "/";
  for (const Variable& variable : global_variables(prefix)) {
    const std::string& name = variable.op().name();
    imported.variables[name.starts_with(prefix) ? name.substr(prefix.size()) : name] = variable;
  }
}

}  // namespace

tensorflow::SaverDef in_scope(tensorflow::SaverDef def, const std::string& scope) {
  const auto prefixed = [&](const std::string& name) {
    return scope.empty() || name.empty() ? name : str_cat(scope, "/", name);
  };
  def.set_filename_tensor_name(prefixed(def.filename_tensor_name()));
  def.set_save_tensor_name(prefixed(def.save_tensor_name()));
  def.set_restore_op_name(prefixed(def.restore_op_name()));
  return def;
}

MetaGraphDef read_meta_graph_file(const std::string& path) {
  if (!file_exists(path)) raise(Code::kNotFound, "File ", path, " does not exist.");
  const std::string bytes = read_file(path);
  MetaGraphDef def;
  if (parse_message(bytes, &def)) return def;
  require(parse_text(bytes, &def), "Cannot parse file ", path,
          ": it is no MetaGraphDef, binary or text.");
  return def;
}

ImportedMetaGraph import_meta_graph(const MetaGraphDef& def, const ImportMetaGraphOptions& options,
                                    std::source_location at) {
  const MadeAt made(at);
  check_unbound(def, options);
  ImportedMetaGraph imported{
      .scope = scope_for(options.import_scope), .variables = {}, .returned = {}, .saver_def = {}};
  tensorflow::GraphDef graph_def = def.graph_def();
  if (options.clear_devices)
    for (tensorflow::NodeDef& node : *graph_def.mutable_node()) node.clear_device();
  ImportOptions how{.prefix = imported.scope, .input_map = options.input_map};
  if (options.return_elements) how.return_elements = *options.return_elements;
  if (def.meta_info_def().has_stripped_op_list())
    how.producer_ops = &def.meta_info_def().stripped_op_list();
  const Scope scope = current_scope();
  const ImportResult result = import_graph_def(*default_graph(), graph_def, how);
  for (Node* node : result.nodes) scope.put_on_devices(*node);
  take_in_imported(scope, result.nodes);
  imported.returned = result.returned;
  read_collections(def, options, imported);
  name_variables(imported);
  if (def.has_saver_def()) imported.saver_def = in_scope(def.saver_def(), imported.scope);
  return imported;
}

}  // namespace rill::train
