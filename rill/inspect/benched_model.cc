#include "rill/inspect/benched_model.h"

#include <random>
#include <set>

#include "rill/base/error.h"
#include "rill/base/text.h"
#include "rill/graph/graph_def.h"
#include "rill/io/saved_model.h"
#include "rill/passes/subgraph.h"
#include "rill/runtime/compile/kernel_evaluator.h"
#include "rill/runtime/session/saved_model.h"
#include "rill/tensor/dtype_visit.h"

namespace rill::inspect {
namespace {

Output tensor_named(const Graph& graph, const std::string& name) {
  const std::size_t colon = name.rfind(':');
  long long index = 0;
  const bool numbered = colon != name.npos && parse_int(name.substr(colon + 1), &index);
  Node* const node = graph.find(numbered ? name.substr(0, colon) : name);
  if (node == nullptr || index < 0 || index >= node->output_count())
    raise(Code::kNotFound, "the graph has no tensor ", name);
  return node->output(static_cast<int>(index));
}

// "[name=]tensor".
BenchedModel::Port named(const Graph& graph, const std::string& item) {
  const std::size_t equals = item.find('=');
  const std::string tensor = equals == item.npos ? item : item.substr(equals + 1);
  return {equals == item.npos ? tensor : item.substr(0, equals), tensor_named(graph, tensor)};
}

std::vector<BenchedModel::Port> named(const Graph& graph,
                                      const std::map<std::string, std::string>& tensors) {
  std::vector<BenchedModel::Port> found;
  for (const auto& [name, tensor] : tensors) found.push_back({name, tensor_named(graph, tensor)});
  return found;
}

const tensorflow::SignatureDef& signature_of(const tensorflow::MetaGraphDef& graph,
                                             const std::string& wanted) {
  const auto& known = graph.signature_def();
  const std::string name = wanted.empty() ? "serving_default" : wanted;
  if (const auto it = known.find(name); it != known.end()) return it->second;
  if (wanted.empty() && known.size() == 1) return known.begin()->second;
  std::set<std::string> names;
  for (const auto& [one, signature] : known) names.insert(one);
  raise(Code::kNotFound, "the model has no signature ", name, ", only ",
        join(std::vector<std::string>(names.begin(), names.end()), ", "));
}

// What is computed and read by nobody.
std::vector<BenchedModel::Port> last_tensors(const Graph& graph) {
  std::set<const Node*> read;
  for (int i = 0; i < graph.node_count(); ++i)
    for (const Output& input : graph.node(i).inputs()) read.insert(input.node);
  std::vector<BenchedModel::Port> last;
  for (int i = 0; i < graph.node_count(); ++i) {
    Node& node = const_cast<Node&>(graph.node(i));
    if (node.output_count() > 0 && node.input_count() > 0 && !read.contains(&node))
      last.push_back({node.name(), node.output()});
  }
  return last;
}

std::vector<BenchedModel::Port> needed_placeholders(const std::vector<Output>& fetches) {
  std::vector<BenchedModel::Port> needed;
  for (const Subgraph::Item& item : prune({}, fetches, {}).items)
    if (item.node->op().name == "Placeholder")
      needed.push_back({item.node->name(), const_cast<Node*>(item.node)->output()});
  return needed;
}

std::vector<Output> outputs_of(const std::vector<BenchedModel::Port>& tensors) {
  std::vector<Output> outputs;
  for (const BenchedModel::Port& one : tensors) outputs.push_back(one.tensor);
  return outputs;
}

Shape shape_of(const BenchedModel::Port& input, const FeedWishes& wishes) {
  if (const auto it = wishes.shapes.find(input.name); it != wishes.shapes.end()) return it->second;
  const PartialShape& known = input.tensor.shape();
  require(known.has_rank(), "the shape of input ", input.name, " is not known: say it (--shape ",
          input.name, "=...)");
  std::vector<std::int64_t> dims(known.dims().begin(), known.dims().end());
  if (!dims.empty() && dims[0] < 0) dims[0] = wishes.batch;
  for (const std::int64_t dim : dims)
    require(dim >= 0, "the shape of input ", input.name, " is only known as ", known,
            ": say it (--shape ", input.name, "=...)");
  return Shape(dims);
}

Tensor made_feed(DType dtype, const Shape& shape, std::int64_t largest, std::mt19937_64& random) {
  Tensor value = Tensor::zeros(dtype, shape);
  const auto number = [&] { return std::uniform_real_distribution<double>(0, 1)(random); };
  visit_dtype(dtype, [&]<class T>() {
    if constexpr (std::is_same_v<T, bool>) {
      for (T& element : value.flat<T>()) element = number() < 0.5;
    } else if constexpr (std::is_integral_v<T>) {
      const std::int64_t most = std::min<std::int64_t>(largest, std::numeric_limits<T>::max());
      for (T& element : value.flat<T>())
        element = static_cast<T>(std::uniform_int_distribution<std::int64_t>(0, most)(random));
    } else if constexpr (std::is_constructible_v<T, float> && !std::is_same_v<T, Variant>) {
      for (T& element : value.flat<T>()) element = T(static_cast<float>(number()));
    }
  });
  return value;
}

template <class Wishes>
void check_names(const BenchedModel& model, const Wishes& wishes) {
  for (const auto& [name, wish] : wishes) {
    bool known = false;
    for (const BenchedModel::Port& input : model.inputs) known = known || input.name == name;
    require(known, "the model has no input ", name);
  }
}

}  // namespace

std::vector<Output> BenchedModel::feeds() const { return outputs_of(inputs); }
std::vector<Output> BenchedModel::fetches() const { return outputs_of(outputs); }

BenchedModel open_saved_model(const std::string& directory, const ModelSource& source) {
  saved_model::Model loaded = saved_model::load_model(
      directory, saved_model::split_tag_set(source.tag_set), source.session);
  BenchedModel model{.graph = loaded.graph, .session = std::move(loaded.session)};
  if (source.outputs.empty()) {
    const tensorflow::SignatureDef& signature = signature_of(loaded.meta_graph, source.signature);
    model.inputs = named(*model.graph, saved_model::tensor_names(signature.inputs()));
    model.outputs = named(*model.graph, saved_model::tensor_names(signature.outputs()));
  } else {
    for (const std::string& item : source.inputs) model.inputs.push_back(named(*model.graph, item));
    for (const std::string& item : source.outputs)
      model.outputs.push_back(named(*model.graph, item));
  }
  return model;
}

BenchedModel open_graph(const tensorflow::GraphDef& graph, const ModelSource& source) {
  BenchedModel model{.graph = std::make_shared<Graph>(evaluated_ops())};
  import_graph_def(*model.graph, graph);
  for (const std::string& item : source.outputs) model.outputs.push_back(named(*model.graph, item));
  if (source.outputs.empty()) model.outputs = last_tensors(*model.graph);
  require(!model.outputs.empty(), "the graph computes nothing");
  for (const std::string& item : source.inputs) model.inputs.push_back(named(*model.graph, item));
  if (source.inputs.empty()) model.inputs = needed_placeholders(model.fetches());
  model.session = std::make_unique<Session>(model.graph, source.session);
  return model;
}

std::vector<Tensor> made_feeds(const BenchedModel& model, const FeedWishes& wishes) {
  check_names(model, wishes.shapes);
  check_names(model, wishes.values);
  std::mt19937_64 random(1);
  std::vector<Tensor> feeds;
  for (const BenchedModel::Port& input : model.inputs) {
    const auto given = wishes.values.find(input.name);
    if (given != wishes.values.end())
      feeds.push_back(given->second);
    else
      feeds.push_back(made_feed(base_type(input.tensor.dtype()), shape_of(input, wishes),
                                wishes.largest_integer, random));
  }
  return feeds;
}

}  // namespace rill::inspect
