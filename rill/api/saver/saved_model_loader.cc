#include "rill/api/saver/saved_model_loader.h"

#include "rill/api/saver/checkpoint_state.h"
#include "rill/api/saver/saved_model_parts.h"
#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/io/parse_message.h"
#include "rill/io/parse_text.h"

namespace rill::saved_model {
namespace {

using tensorflow::MetaGraphDef;
using tensorflow::SavedModel;

std::string braced(const auto& tags) {
  std::string text;
  for (const std::string& tag : tags) text += (text.empty() ? "'" : ", '") + tag + "'";
  return "{" + text + "}";
}

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

// Names of a signature and the tensors behind them; a tensor of several parts is its parts.
using Tensors = std::map<std::string, std::string>;
Tensors tensors_of(const google::protobuf::Map<std::string, TensorInfo>& infos) {
  Tensors tensors;
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

}  // namespace

std::string asset_path(const std::string& export_dir, const std::string& filename) {
  require(!filename.empty() && filename != "." && filename != ".." &&
              filename.find('/') == std::string::npos && filename.find('\0') == std::string::npos,
          "The model names the asset '", filename, "', which is no file of its own");
  return join_path(join_path(export_dir, kAssetsDirectory), filename);
}

std::string variables_path(const std::string& export_dir) {
  return join_path(join_path(export_dir, kVariablesDirectory), kVariablesFilename);
}

bool contains_saved_model(const std::string& export_dir) {
  return file_exists(join_path(export_dir, kFilenamePb)) ||
         file_exists(join_path(export_dir, kFilenamePbtxt));
}

SavedModel read_saved_model(const std::string& export_dir) {
  SavedModel model;
  if (const std::string path = join_path(export_dir, kFilenamePb); file_exists(path)) {
    require(parse_message(read_file(path), &model), "Cannot parse file ", path,
            ": it is no SavedModel");
    return model;
  }
  const std::string path = join_path(export_dir, kFilenamePbtxt);
  if (!file_exists(path))
    raise(Code::kNotFound, "SavedModel file does not exist at: ", export_dir, "/{", kFilenamePbtxt,
          "|", kFilenamePb, "}");
  require(parse_text(read_file(path), &model), "Cannot parse file ", path,
          ": it is no SavedModel in text form");
  return model;
}

const MetaGraphDef& meta_graph_with(const SavedModel& model, const std::set<std::string>& tags) {
  std::vector<std::string> available;
  for (const MetaGraphDef& graph : model.meta_graphs()) {
    const std::set<std::string> own(graph.meta_info_def().tags().begin(),
                                    graph.meta_info_def().tags().end());
    if (own == tags) return graph;
    available.push_back(braced(own));
  }
  const std::string wanted = braced(tags);
  raise(Code::kNotFound, "MetaGraphDef associated with tags ", wanted.substr(1, wanted.size() - 2),
        " could not be found in SavedModel, with available tags '[", join(available, ", "),
        "]'. To inspect available tag-sets in the SavedModel, please use the SavedModel CLI: "
        "`saved_model_cli`.");
}

std::set<std::string> split_tag_set(const std::string& tag_set) {
  std::set<std::string> tags;
  for (const std::string_view tag : split(tag_set, ',')) tags.emplace(tag);
  return tags;
}

MetaGraphDef load_into(const RunTarget& run, const std::string& export_dir,
                       const std::set<std::string>& tags,
                       const train::ImportMetaGraphOptions& options) {
  const SavedModel model = read_saved_model(export_dir);
  const MetaGraphDef& graph = meta_graph_with(model, tags);
  const train::ImportedMetaGraph imported = train::import_meta_graph(graph, options);
  std::map<std::string, std::string> feeds;
  for (const tensorflow::AssetFileDef& asset : assets_of(graph))
    feeds[scoped(imported.scope, asset.tensor_info().name())] =
        asset_path(export_dir, asset.filename());
  const std::string variables = variables_path(export_dir);
  if (imported.saver_def && !imported.saver_def->restore_op_name().empty() &&
      train::checkpoint_exists(variables)) {
    std::map<std::string, std::string> all = feeds;
    all[imported.saver_def->filename_tensor_name()] = variables;
    run(all, imported.saver_def->restore_op_name());
  }
  if (const std::string init = init_op_of(graph, export_dir); !init.empty())
    run(feeds, scoped(imported.scope, init));
  return graph;
}

Bundle load(const std::string& export_dir, const std::set<std::string>& tags,
            const SessionOptions& options) {
  Bundle bundle;
  bundle.graph = make_graph();
  bundle.session = std::make_unique<Session>(bundle.graph, options);
  const AsDefault in_graph(bundle.graph);
  bundle.meta_graph = load_into(steps_of(*bundle.session), export_dir, tags);
  return bundle;
}

std::map<std::string, Tensor> Bundle::run(const std::map<std::string, Tensor>& inputs,
                                          const std::string& signature) {
  const auto found = meta_graph.signature_def().find(signature);
  require(found != meta_graph.signature_def().end(), "The model has no signature ", signature);
  const Tensors known = tensors_of(found->second.inputs());
  std::vector<std::pair<std::string, Tensor>> feeds;
  for (const auto& [name, value] : inputs) {
    const auto input = known.find(name);
    require(input != known.end(), "Signature ", signature, " has no input ", name);
    feeds.emplace_back(input->second, value);
  }
  for (const auto& [name, tensor] : known)
    require(inputs.contains(name), "Signature ", signature, " needs the input ", name);
  std::vector<std::string> names, fetches;
  for (const auto& [name, tensor] : tensors_of(found->second.outputs())) {
    names.push_back(name);
    fetches.push_back(tensor);
  }
  std::vector<Tensor> values = session->run(feeds, fetches);
  std::map<std::string, Tensor> results;
  for (std::size_t i = 0; i < names.size(); ++i) results[names[i]] = std::move(values[i]);
  return results;
}

}  // namespace rill::saved_model
