#include <algorithm>

#include "rill/api/describe/describe.h"
#include "rill/api/saver/saved_model_loader.h"
#include "rill/base/error.h"
#include "rill/base/text.h"

namespace rill::describe {
namespace {

using tensorflow::MetaGraphDef;
using tensorflow::SavedModel;
using tensorflow::TensorInfo;
using Infos = google::protobuf::Map<std::string, TensorInfo>;

constexpr const char* kDenied[] = {"PrintV2", "ReadFile", "WriteFile"};

std::vector<std::string> tags_of(const MetaGraphDef& graph) {
  return {graph.meta_info_def().tags().begin(), graph.meta_info_def().tags().end()};
}

// The graphs in the order of their tags.
std::vector<const MetaGraphDef*> sorted_graphs(const SavedModel& model) {
  std::vector<const MetaGraphDef*> graphs;
  for (const MetaGraphDef& graph : model.meta_graphs()) graphs.push_back(&graph);
  std::ranges::stable_sort(graphs, {}, [](const MetaGraphDef* graph) { return tags_of(*graph); });
  return graphs;
}

std::string shape_text(const TensorInfo& info) {
  if (info.tensor_shape().unknown_rank()) return "unknown_rank";
  std::vector<std::string> sizes;
  for (const auto& dim : info.tensor_shape().dim()) sizes.push_back(str_cat(dim.size()));
  return "(" + join(sizes, ", ") + ")";
}

std::string infos_text(const Infos& infos, const char* what, const std::string& margin) {
  std::map<std::string, const TensorInfo*> sorted;
  for (const auto& [name, info] : infos) sorted[name] = &info;
  std::string text;
  for (const auto& [name, info] : sorted) {
    text += str_cat(margin, "  ", what, "['", name, "'] tensor_info:\n");
    const std::string inner = margin + "      ";
    text += str_cat(inner, "dtype: ", tensorflow::DataType_Name(info->dtype()), "\n");
    text += str_cat(inner, "shape: ", shape_text(*info), "\n");
    if (info->has_coo_sparse())
      text += str_cat(inner, "name: ", info->coo_sparse().values_tensor_name(), " (sparse)\n");
    else
      text += str_cat(inner, "name: ", info->name(), "\n");
  }
  return text;
}

std::vector<std::string> sorted_keys(const MetaGraphDef& graph) {
  std::vector<std::string> keys;
  for (const auto& [key, signature] : graph.signature_def()) keys.push_back(key);
  std::sort(keys.begin(), keys.end());
  return keys;
}

void find_denied(const auto& nodes, std::set<std::string>& found) {
  for (const auto& node : nodes)
    if (std::find(std::begin(kDenied), std::end(kDenied), node.op()) != std::end(kDenied))
      found.insert(node.op());
}

}  // namespace

std::string tag_sets(const SavedModel& model) {
  std::string text = "The given SavedModel contains the following tag-sets:\n";
  for (const MetaGraphDef* graph : sorted_graphs(model)) {
    std::vector<std::string> tags = tags_of(*graph);
    std::ranges::sort(tags);
    text += str_cat("'", join(tags, ", "), "'\n");
  }
  return text;
}

std::string signature_keys(const MetaGraphDef& graph) {
  std::string text =
      "The given SavedModel MetaGraphDef contains SignatureDefs with the following keys:\n";
  for (const std::string& key : sorted_keys(graph))
    text += str_cat("SignatureDef key: \"", key, "\"\n");
  return text;
}

std::string signature(const tensorflow::SignatureDef& signature, int indent) {
  const std::string margin(static_cast<std::size_t>(indent), ' ');
  return str_cat(margin, "The given SavedModel SignatureDef contains the following input(s):\n",
                 infos_text(signature.inputs(), "inputs", margin), margin,
                 "The given SavedModel SignatureDef contains the following output(s):\n",
                 infos_text(signature.outputs(), "outputs", margin), margin,
                 "Method name is: ", signature.method_name(), "\n");
}

std::string all_signatures(const SavedModel& model) {
  std::string text;
  for (const MetaGraphDef* graph : sorted_graphs(model)) {
    text += str_cat("\nMetaGraphDef with tag-set: '", join(tags_of(*graph), ", "),
                    "' contains the following SignatureDefs:\n");
    for (const std::string& key : sorted_keys(*graph))
      text +=
          str_cat("\nsignature_def['", key, "']:\n", signature(graph->signature_def().at(key), 2));
  }
  return text;
}

std::string denied_ops(const SavedModel& model, const std::string& tag_set) {
  std::string text;
  for (const MetaGraphDef& graph : model.meta_graphs()) {
    const std::vector<std::string> tags = tags_of(graph);
    if (!tag_set.empty() &&
        std::set(tags.begin(), tags.end()) != saved_model::split_tag_set(tag_set))
      continue;
    std::set<std::string> found;
    find_denied(graph.graph_def().node(), found);
    for (const auto& function : graph.graph_def().library().function())
      find_denied(function.node_def(), found);
    text += str_cat("MetaGraph with tag set ['", join(tags, "', '"), "'] ");
    if (found.empty())
      text += str_cat("does not contain blacklisted ops.\n");
    else
      text += str_cat("contains the following blacklisted ops: {'",
                      join(std::vector<std::string>(found.begin(), found.end()), "', '"), "'}\n");
  }
  require(!text.empty(), "The model has no graph with the tags ", tag_set);
  return text;
}

}  // namespace rill::describe
