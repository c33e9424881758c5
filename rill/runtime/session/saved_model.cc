#include "rill/runtime/session/saved_model.h"

#include "rill/base/error.h"
#include "rill/graph/graph_def.h"
#include "rill/io/checkpoint_reader.h"
#include "rill/io/saved_model.h"
#include "rill/io/saved_model_parts.h"
#include "rill/runtime/compile/kernel_evaluator.h"
#include "tensorflow/core/protobuf/saved_model.pb.h"

namespace rill::saved_model {
namespace {

using tensorflow::MetaGraphDef;
using tensorflow::SavedModel;

std::vector<tensorflow::AssetFileDef> assets_of(const MetaGraphDef& graph) {
  std::vector<tensorflow::AssetFileDef> assets(graph.asset_file_def().begin(),
                                               graph.asset_file_def().end());
  if (!assets.empty()) return assets;
  const auto found = graph.collection_def().find(kAssetsKey);
  if (found == graph.collection_def().end()) return assets;
  for (const auto& item : found->second.any_list().value()) {
    tensorflow::AssetFileDef asset;
    require(item.UnpackTo(&asset), "The collection ", kAssetsKey, " holds no AssetFileDef");
    assets.push_back(std::move(asset));
  }
  return assets;
}

std::string scoped(const std::string& scope, const std::string& name) {
  return scope.empty() ? name : scope + "/" + name;
}

// What to run when variables are there; "": nothing.
std::string init_op_of(const MetaGraphDef& graph, const std::string& export_dir) {
  if (const auto signature = graph.signature_def().find(kInitOpSignature);
      signature != graph.signature_def().end()) {
    const auto output = signature->second.outputs().find(kInitOpSignature);
    require(output != signature->second.outputs().end(), "The signature ", kInitOpSignature, " of ",
            export_dir, " has no output of that name");
    return output->second.name();
  }
  for (const char* key : {kMainOpKey, kLegacyInitOpKey}) {
    const auto found = graph.collection_def().find(key);
    if (found == graph.collection_def().end()) continue;
    if (found->second.node_list().value_size() != 1)
      raise(Code::kFailedPrecondition, "Expected exactly one main op in : ", export_dir);
    return found->second.node_list().value(0);
  }
  return {};
}

}  // namespace

RunTarget steps_of(Session& session) {
  return [&session](const std::map<std::string, std::string>& texts, const std::string& what) {
    std::vector<std::pair<std::string, Tensor>> feeds;
    for (const auto& [name, text] : texts) feeds.emplace_back(name, Tensor::scalar(text));
    if (what.find(':') == std::string::npos)
      session.run(feeds, {}, {what});
    else
      session.run(feeds, {what});
  };
}

bool restore_saved_model(const RunTarget& run, const MetaGraphDef& graph,
                         const tensorflow::SaverDef& saver, const std::string& export_dir,
                         const std::string& scope) {
  std::map<std::string, std::string> feeds;
  for (const tensorflow::AssetFileDef& asset : assets_of(graph))
    feeds[scoped(scope, asset.tensor_info().name())] = asset_path(export_dir, asset.filename());
  const std::string variables = variables_path(export_dir);
  const bool restores = !saver.restore_op_name().empty() && CheckpointReader::exists(variables);
  if (restores) {
    std::map<std::string, std::string> all = feeds;
    all[saver.filename_tensor_name()] = variables;
    run(all, saver.restore_op_name());
  }
  if (const std::string init = init_op_of(graph, export_dir); !init.empty())
    run(feeds, scoped(scope, init));
  return restores;
}

std::map<std::string, std::string> tensor_names(
    const google::protobuf::Map<std::string, tensorflow::TensorInfo>& infos) {
  std::map<std::string, std::string> tensors;
  for (const auto& [name, info] : infos) {
    if (info.has_coo_sparse()) {
      tensors[name + "/indices"] = info.coo_sparse().indices_tensor_name();
      tensors[name + "/values"] = info.coo_sparse().values_tensor_name();
      tensors[name + "/dense_shape"] = info.coo_sparse().dense_shape_tensor_name();
    } else {
      tensors[name] = info.name();
    }
  }
  return tensors;
}

Model load_model(const std::string& export_dir, const std::set<std::string>& tags,
                 const SessionOptions& options,
                 const std::function<void(const MetaGraphDef&)>& check) {
  const SavedModel file = read_saved_model(export_dir);
  Model model;
  model.meta_graph = meta_graph_with(file, tags);
  if (check) check(model.meta_graph);
  model.graph = std::make_shared<Graph>(evaluated_ops());
  ImportOptions how;
  if (model.meta_graph.meta_info_def().has_stripped_op_list())
    how.producer_ops = &model.meta_graph.meta_info_def().stripped_op_list();
  import_graph_def(*model.graph, model.meta_graph.graph_def(), how);
  model.session = std::make_unique<Session>(model.graph, options);
  model.has_restored = restore_saved_model(steps_of(*model.session), model.meta_graph,
                                           model.meta_graph.saver_def(), export_dir);
  return model;
}

}  // namespace rill::saved_model
