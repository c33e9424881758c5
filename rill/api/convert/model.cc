#include "rill/api/convert/model.h"

#include <google/protobuf/text_format.h>

#include <algorithm>

#include "rill/api/core/default_graph.h"
#include "rill/api/describe/describe.h"
#include "rill/api/graph_util/graph_util.h"
#include "rill/api/saver/freeze.h"
#include "rill/api/saver/saved_model_builder.h"
#include "rill/api/saver/saved_model_loader.h"
#include "rill/base/durable_files.h"
#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/graph/graph_def.h"
#include "rill/io/saved_model_parts.h"

namespace rill::convert {
namespace {

using tensorflow::GraphDef;
using tensorflow::NodeDef;
using tensorflow::SignatureDef;
using tensorflow::TensorInfo;

void add_tensors(const TensorInfo& info, Names& names) {
  for (const std::string& name :
       {info.name(), info.coo_sparse().values_tensor_name(),
        info.coo_sparse().indices_tensor_name(), info.coo_sparse().dense_shape_tensor_name()})
    if (!name.empty() && std::ranges::find(names, name) == names.end()) names.push_back(name);
}

std::string full_name(const std::string& tensor) {
  return tensor.find(':') == std::string::npos ? tensor + ":0" : tensor;
}

// What stands behind the "=" of "name=tensor", or the whole.
std::string tensor_of(const std::string& item) {
  const std::size_t equals = item.find('=');
  return equals == std::string::npos ? item : item.substr(equals + 1);
}

std::map<std::string, Output> named_tensors(const Names& items) {
  std::map<std::string, Output> tensors;
  for (const std::string& item : items) {
    const std::string name = item.substr(0, std::min(item.find('='), item.find(':')));
    const Output tensor = default_graph()->tensor(full_name(tensor_of(item)));
    require(tensors.emplace(name, tensor).second, "The name ", name, " is given to two tensors");
  }
  return tensors;
}

SignatureDef signature_in(const GraphDef& graph, const FrozenModelOptions& options) {
  const Names inputs =
      options.inputs.empty() ? placeholders_of(graph, options.outputs) : options.inputs;
  const std::shared_ptr<Graph> imported = make_graph();
  import_graph_def(*imported, graph);
  const AsDefault in_graph(imported);
  return signature_of(inputs, options.outputs);
}

FrozenModel read_saved(const std::string& path, const FrozenModelOptions& options) {
  FrozenModel model;
  const saved_model::FreezeModelOptions freeze{.output_node_names = node_names(options.outputs),
                                               .tag_set = options.tag_set};
  model.graph = saved_model::freeze_saved_model(path, freeze);
  if (!options.outputs.empty()) {
    model.signatures[saved_model::kDefaultServingSignatureKey] = signature_in(model.graph, options);
    return model;
  }
  const tensorflow::SavedModel stored = saved_model::read_saved_model(path);
  const auto& meta =
      saved_model::meta_graph_with(stored, saved_model::split_tag_set(options.tag_set));
  for (const auto& [key, signature] : meta.signature_def())
    if (!key.starts_with("__")) model.signatures[key] = signature;
  return model;
}

}  // namespace

Names FrozenModel::inputs() const {
  Names names;
  for (const auto& [key, signature] : signatures)
    for (const auto& [name, info] : signature->inputs()) add_tensors(info, names);
  return names;
}

Names FrozenModel::outputs() const {
  Names names;
  for (const auto& [key, signature] : signatures)
    for (const auto& [name, info] : signature->outputs()) add_tensors(info, names);
  return names;
}

Names node_names(const Names& items) {
  Names nodes;
  for (const std::string& item : items) {
    const std::string tensor = tensor_of(item);
    nodes.push_back(tensor.substr(0, tensor.find(':')));
  }
  return nodes;
}

Names placeholders_of(const GraphDef& graph, const Names& outputs) {
  const GraphDef needed = graph_util::extract_sub_graph(graph, node_names(outputs));
  Names found;
  for (const NodeDef& node : needed.node())
    if (node.op() == "Placeholder") found.push_back(node.name());
  return found;
}

SignatureDef signature_of(const Names& inputs, const Names& outputs) {
  require(!outputs.empty(), "What comes out of the model must be said: outputs are missing");
  return saved_model::predict_signature_def(named_tensors(inputs), named_tensors(outputs));
}

FrozenModel read_frozen_model(const std::string& path, const FrozenModelOptions& options) {
  switch (describe::kind_of(path)) {
    case describe::Kind::kSavedModel:
      return read_saved(path, options);
    case describe::Kind::kGraph: {
      FrozenModel model{.graph = graph_util::read_graph_def(path), .signatures = {}};
      if (!options.outputs.empty())
        model.signatures[saved_model::kDefaultServingSignatureKey] =
            signature_in(model.graph, options);
      return model;
    }
    default:
      raise(Code::kInvalidArgument, path,
            " is neither a SavedModel nor a graph (.pb, .pbtxt) without variables");
  }
}

bool is_graph_path(const std::string& path) {
  return path.ends_with(".pb") || path.ends_with(".pbtxt");
}

void write_graph_def(const GraphDef& graph, const std::string& path) {
  std::string bytes;
  if (path.ends_with(".pbtxt"))
    google::protobuf::TextFormat::PrintToString(graph, &bytes);
  else
    require(graph.SerializeToString(&bytes), "The graph is larger than a message may be");
  if (const std::string directory = parent_path(path); !directory.empty())
    make_directories(directory);
  publish_file(path, bytes);
}

void write_frozen_model(const FrozenModel& model, const std::string& path) {
  if (is_graph_path(path)) return write_graph_def(model.graph, path);
  require(!model.signatures.empty(),
          "A SavedModel needs to be told what comes out of it: outputs are missing");
  for (const NodeDef& node : model.graph->node())
    require(!node.op().starts_with("HashTable"), "The model has the table ", node.name(),
            ", which something must fill when it is loaded: only a graph (.pb) can be made of it");
  const std::shared_ptr<Graph> graph = make_graph();
  const AsDefault in_graph(graph);
  import_graph_def(*graph, model.graph);
  Session session(graph);
  saved_model::Builder builder(path);
  builder.add_meta_graph_and_variables(session, {saved_model::kServingTag},
                                       {.signature_def_map = model.signatures});
  builder.save();
}

FrozenModel optimized(const FrozenModel& model, std::string_view transforms) {
  return {.graph = graph_transforms::transform_graph(model.graph, model.inputs(), model.outputs(),
                                                     transforms),
          .signatures = model.signatures};
}

FrozenModel optimize(const std::string& path, const OptimizeOptions& options) {
  return optimized(read_frozen_model(path, options.model), options.transforms);
}

}  // namespace rill::convert
