#include "rill/board/graph/graph_source.h"

#include "rill/base/error.h"
#include "rill/base/json.h"
#include "rill/board/data/stored_tensor.h"
#include "rill/io/parse_message.h"
#include "tensorflow/core/framework/function.pb.h"
#include "tensorflow/core/protobuf/config.pb.h"
#include "tensorflow/core/protobuf/meta_graph.pb.h"
#include "tensorflow/core/protobuf/saved_model.pb.h"

namespace rill::board {
namespace {

using tensorflow::GraphDef;

std::optional<StoredMessage> latest_of(const Run& run, const std::string& tag,
                                       std::initializer_list<std::string_view> plugins) {
  return run.with_lock([&](const Run::Contents& contents) -> std::optional<StoredMessage> {
    const auto found = contents.series.find(tag);
    if (found == contents.series.end() || found->second.stored.empty()) return std::nullopt;
    if (std::ranges::find(plugins, found->second.metadata.plugin) == plugins.end())
      return std::nullopt;
    const StoredValue& value = found->second.stored.back();
    return StoredMessage{contents.paths[value.file], value, true};
  });
}

// The layers of Keras' inbound_nodes: [[["name", 0, 0, {}], ...], ...], or of newer versions
// {"args": [{"config": {"keras_history": ["name", 0, 0]}}]}.
void collect_inbound(const Json& json, std::vector<std::string>* names) {
  if (const Json* history = json.find("keras_history");
      history != nullptr && !history->items.empty()) {
    names->push_back(history->items[0].text);
    return;
  }
  if (json.kind == Json::Kind::array && json.items.size() >= 3 &&
      json.items[0].kind == Json::Kind::string && json.items[1].kind == Json::Kind::number) {
    names->push_back(json.items[0].text);
    return;
  }
  for (const Json& item : json.items) collect_inbound(item, names);
  for (const auto& [name, value] : json.members) collect_inbound(value, names);
}

std::string text_of(const Json& json, std::string_view name) {
  const Json* const found = json.find(name);
  return found != nullptr ? found->text : "";
}

void add_layers(const Json& model, const std::string& prefix, int depth, GraphDef* graph) {
  const Json* const config = model.find("config");
  require(config != nullptr && depth < 16, "This is no Keras model");
  const Json* layers = config->kind == Json::Kind::array ? config : config->find("layers");
  require(layers != nullptr, "This is no Keras model");
  std::string before;
  for (const Json& layer : layers->items) {
    const Json* const inner = layer.find("config");
    std::string name = text_of(layer, "name");
    if (name.empty() && inner != nullptr) name = text_of(*inner, "name");
    const std::string path = prefix + name;
    auto* node = graph->add_node();
    node->set_name(path);
    node->set_op(text_of(layer, "class_name"));
    const Json* const inbound = layer.find("inbound_nodes");
    if (inbound != nullptr) {
      std::vector<std::string> names;
      collect_inbound(*inbound, &names);
      for (const std::string& one : names) node->add_input(prefix + one);
    } else if (!before.empty()) {
      node->add_input(before);
    }
    before = path;
    if (inner != nullptr && (inner->find("layers") != nullptr))
      add_layers(layer, path + "/", depth + 1, graph);
  }
}

}  // namespace

std::string StoredMessage::bytes() const {
  std::string read = read_stored(path, value);
  if (!is_tensor) return read;
  LoggedTensor tensor = tensor_of(read);
  if (!tensor.is_text || tensor.texts.empty())
    raise(Code::kDataLoss, "The log holds a graph that is none");
  return std::move(tensor.texts[0]);
}

std::optional<StoredMessage> run_graph(const Run& run) {
  return run.with_lock([&](const Run::Contents& contents) -> std::optional<StoredMessage> {
    const auto& stored = contents.graph ? contents.graph : contents.meta_graph;
    if (!stored) return std::nullopt;
    return StoredMessage{contents.paths[stored->file], *stored, false};
  });
}

std::optional<StoredMessage> run_metadata(const Run& run, const std::string& tag) {
  const auto found =
      run.with_lock([&](const Run::Contents& contents) -> std::optional<StoredMessage> {
        const auto known = contents.run_metadata.find(tag);
        if (known == contents.run_metadata.end()) return std::nullopt;
        return StoredMessage{contents.paths[known->second.file], known->second, false};
      });
  return found ? found : latest_of(run, tag, {"graph_run_metadata", "graph_run_metadata_graph"});
}

std::optional<StoredMessage> keras_model(const Run& run, const std::string& tag) {
  return latest_of(run, tag, {"graph_keras_model"});
}

GraphDef read_graph_def(const std::string& bytes) {
  GraphDef graph;
  if (parse_message(bytes, &graph) && graph.node_size() > 0) return graph;
  tensorflow::MetaGraphDef meta;
  if (parse_message(bytes, &meta) && meta.graph_def().node_size() > 0)
    return std::move(*meta.mutable_graph_def());
  tensorflow::SavedModel model;
  if (parse_message(bytes, &model) && model.meta_graphs_size() > 0 &&
      model.meta_graphs(0).graph_def().node_size() > 0)
    return std::move(*model.mutable_meta_graphs(0)->mutable_graph_def());
  if (!parse_message(bytes, &graph)) raise(Code::kDataLoss, "This is no graph, or a broken one");
  return graph;
}

GraphDef graph_of_functions(const tensorflow::RunMetadata& metadata) {
  GraphDef all;
  for (int i = 0; i < metadata.function_graphs_size(); ++i) {
    const std::string prefix =
        metadata.function_graphs_size() == 1 ? "" : str_cat("graph_", i, "/");
    const GraphDef& graph = metadata.function_graphs(i).pre_optimization_graph();
    for (const auto& one : graph.node()) {
      auto* node = all.add_node();
      *node = one;
      if (prefix.empty()) continue;
      node->set_name(prefix + one.name());
      for (auto& input : *node->mutable_input())
        input = input.starts_with('^') ? str_cat("^", prefix, input.substr(1)) : prefix + input;
    }
    all.mutable_library()->MergeFrom(graph.library());
  }
  return all;
}

GraphDef graph_of_keras(const std::string& json) {
  GraphDef graph;
  const Json model = parse_json(json);
  const Json* const config = model.find("config");
  std::string name = config != nullptr ? text_of(*config, "name") : "";
  if (name.empty()) name = "model";
  add_layers(model, name + "/", 0, &graph);
  return graph;
}

GraphDef function_graph(const GraphDef& graph, const std::string& name) {
  for (const auto& function : graph.library().function()) {
    if (function.signature().name() != name) continue;
    GraphDef body;
    for (const auto& argument : function.signature().input_arg()) {
      auto* node = body.add_node();
      node->set_name(argument.name());
      node->set_op("_Arg");
    }
    for (const auto& node : function.node_def()) *body.add_node() = node;
    for (const auto& [result, source] : function.ret()) {
      auto* node = body.add_node();
      node->set_name("results/" + result);
      node->set_op("_Retval");
      node->add_input(source);
    }
    return body;
  }
  raise(Code::kNotFound, "The graph has no function ", name);
}

}  // namespace rill::board
