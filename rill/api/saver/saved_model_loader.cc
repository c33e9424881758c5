#include "rill/api/saver/saved_model_loader.h"

#include "rill/base/error.h"
#include "rill/io/saved_model.h"
#include "rill/runtime/session/saved_model.h"
#include "tensorflow/core/protobuf/meta_graph.pb.h"
#include "tensorflow/core/protobuf/saved_model.pb.h"

namespace rill::saved_model {

using tensorflow::MetaGraphDef;
using tensorflow::SavedModel;

MetaGraphDef load_into(const RunTarget& run, const std::string& export_dir,
                       const std::set<std::string>& tags,
                       const train::ImportMetaGraphOptions& options) {
  const SavedModel model = read_saved_model(export_dir);
  const MetaGraphDef& graph = meta_graph_with(model, tags);
  const train::ImportedMetaGraph imported = train::import_meta_graph(graph, options);
  restore_saved_model(run, graph, imported.saver_def, export_dir, imported.scope);
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
  const auto found = meta_graph->signature_def().find(signature);
  require(found != meta_graph->signature_def().end(), "The model has no signature ", signature);
  const auto known = tensor_names(found->second.inputs());
  std::vector<std::pair<std::string, Tensor>> feeds;
  for (const auto& [name, value] : inputs) {
    const auto input = known.find(name);
    require(input != known.end(), "Signature ", signature, " has no input ", name);
    feeds.emplace_back(input->second, value);
  }
  for (const auto& [name, tensor] : known)
    require(inputs.contains(name), "Signature ", signature, " needs the input ", name);
  std::vector<std::string> names, fetches;
  for (const auto& [name, tensor] : tensor_names(found->second.outputs())) {
    names.push_back(name);
    fetches.push_back(tensor);
  }
  std::vector<Tensor> values = session->run(feeds, fetches);
  std::map<std::string, Tensor> results;
  for (std::size_t i = 0; i < names.size(); ++i) results[names[i]] = std::move(values[i]);
  return results;
}

}  // namespace rill::saved_model
