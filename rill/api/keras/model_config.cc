#include "rill/api/keras/model_config.h"

#include <algorithm>
#include <map>

#include "rill/api/keras/layer_config.h"
#include "rill/base/error.h"

namespace rill::keras {
namespace {

using Layer = rill::layers::Layer;

// The number of a layer's first call from outside: that which makes a model counts as one.
std::int64_t first_call(const Layer& layer) {
  return dynamic_cast<const Model*>(&layer) != nullptr ? 1 : 0;
}

// Calls get numbers among those of the network.
class Numbered {
 public:
  explicit Numbered(const Network& network) {
    for (const NetworkCall& call : network.calls()) calls_[call.layer].push_back(call.call);
    for (auto& [layer, calls] : calls_) std::ranges::sort(calls);
  }
  const std::vector<std::size_t>& calls_of(const Layer* layer) { return calls_[layer]; }

  Json place_of(const Output& tensor) {
    const auto maker = rill::layers::made_by(tensor);
    const auto& calls = calls_[maker.layer];
    const auto found = std::ranges::find(calls, maker.call);
    const std::int64_t number = found == calls.end() ? 0 : found - calls.begin();
    return json_array({json_of(maker.layer->name()), json_of(number + first_call(*maker.layer)),
                       json_of(maker.output)});
  }

 private:
  std::map<const Layer*, std::vector<std::size_t>> calls_;
};

Json network_config(const Model& model) {
  Numbered numbered(model.network());
  std::vector<Json> layers, inputs, outputs;
  for (const Layer* layer : model.network().layers()) {
    std::vector<Json> calls;
    for (const std::size_t call : numbered.calls_of(layer)) {
      std::vector<Json> places;
      for (const Output& before : layer->calls().at(call).inputs) {
        Json place = numbered.place_of(before);
        place.items.push_back(json_object({}));
        places.push_back(std::move(place));
      }
      calls.push_back(json_array(std::move(places)));
    }
    Json described = layers::serialize(*layer);
    JsonMembers item = {{"name", json_of(layer->name())}};
    item.insert(item.end(), described.members.begin(), described.members.end());
    item.emplace_back("inbound_nodes", json_array(std::move(calls)));
    layers.push_back(json_object(std::move(item)));
  }
  for (const Output& input : model.inputs()) inputs.push_back(numbered.place_of(input));
  for (const Output& output : model.outputs()) outputs.push_back(numbered.place_of(output));
  return json_object({{"name", json_of(model.name())},
                      {"layers", json_array(std::move(layers))},
                      {"input_layers", json_array(std::move(inputs))},
                      {"output_layers", json_array(std::move(outputs))}});
}

Json sequential_config(const Model& model) {
  std::vector<Json> layers;
  for (const Layer* layer : model.layers()) layers.push_back(layers::serialize(*layer));
  JsonMembers config = {{"name", json_of(model.name())}};
  const bool says_shape =
      !layers.empty() && member(layers[0], "config").find("batch_input_shape") != nullptr;
  config.emplace_back("layers", json_array(std::move(layers)));
  if (!says_shape && !model.inputs().empty()) {
    std::vector<Json> sizes;
    for (const std::int64_t dim : model.inputs()[0].shape().dims())
      sizes.push_back(dim < 0 ? Json() : json_of(dim));
    config.emplace_back("build_input_shape", json_array(std::move(sizes)));
  }
  return json_object(std::move(config));
}

ModelRef sequential_of(const Json& config) {
  // The first versions wrote the list of layers alone.
  const bool is_list = config.kind == Json::Kind::array;
  const Json& layers = is_list ? config : member(config, "layers");
  const Json* const name = is_list ? nullptr : config.find("name");
  auto model = std::make_shared<Sequential>(
      std::vector<LayerRef>{}, name == nullptr ? std::string() : text_of(*name, "name"));
  std::optional<PartialShape> shape;
  for (const Json& item : layers.items) {
    const Json& settings = member(item, "config");
    if (text_of(member(item, "class_name"), "class_name") == "InputLayer") {
      PartialShape batch = PartialShape::scalar();
      for (const Json& size : member(settings, "batch_input_shape").items)
        batch.add_dim(is_null(size) ? -1 : int_of(size, "batch_input_shape"));
      shape = batch;
    } else {
      model->add(layers::deserialize(item));
    }
  }
  if (const Json* built = is_list ? nullptr : config.find("build_input_shape"); built && !shape) {
    PartialShape batch = PartialShape::scalar();
    for (const Json& size : built->items)
      batch.add_dim(is_null(size) ? -1 : int_of(size, "build_input_shape"));
    if (batch.rank() > 0) shape = batch;
  }
  if (shape && !model->layers().empty()) model->build(*shape);
  return model;
}

// Makes the layers of a network, then calls them in an order in which inputs are there.
class Builder {
 public:
  explicit Builder(const Json& config) {
    for (const Json& item : member(config, "layers").items) {
      const std::string& name = text_of(member(item, "name"), "name");
      const LayerRef layer = layers::deserialize(item);
      made_.emplace(name, layer);
      const Json& nodes = member(item, "inbound_nodes");
      if (nodes.items.empty()) outputs_[{name, 0}] = layer.layer->calls().at(0).outputs;
      for (std::size_t i = 0; i < nodes.items.size(); ++i)
        waiting_.push_back(
            {name, first_call(*layer.layer) + static_cast<std::int64_t>(i), &nodes.items[i]});
    }
    while (!waiting_.empty()) call_those_that_can();
  }

  std::vector<Output> pick(const Json& places) const {
    std::vector<Output> picked;
    for (const Json& place : places.items) picked.push_back(tensor(place));
    return picked;
  }

 private:
  struct Call {
    std::string layer;
    std::int64_t number = 0;
    const Json* places = nullptr;
  };
  using Key = std::pair<std::string, std::int64_t>;

  static Key key_of(const Json& place) {
    require(place.items.size() >= 3, "a tensor of a network is [layer, call, output]");
    return {text_of(place.items[0], "layer"), int_of(place.items[1], "call")};
  }
  const Output& tensor(const Json& place) const {
    const auto found = outputs_.find(key_of(place));
    const std::int64_t index = int_of(place.items[2], "output");
    require(found != outputs_.end() && index >= 0 &&
                static_cast<std::size_t>(index) < found->second.size(),
            "the description of the network has no tensor ", to_text(place));
    return found->second[static_cast<std::size_t>(index)];
  }
  bool can(const Call& call) const {
    const bool first = call.number == first_call(*made_.at(call.layer).layer);
    return (first || outputs_.contains({call.layer, call.number - 1})) &&
           std::ranges::all_of(call.places->items,
                               [&](const Json& place) { return outputs_.contains(key_of(place)); });
  }
  void call_those_that_can() {
    std::vector<Call> left;
    for (const Call& call : waiting_) {
      if (can(call))
        outputs_[{call.layer, call.number}] = (*made_.at(call.layer).layer)(pick(*call.places), {});
      else
        left.push_back(call);
    }
    require(left.size() < waiting_.size(),
            "the description of the network has calls without inputs");
    waiting_ = std::move(left);
  }

  std::map<std::string, LayerRef> made_;
  std::map<Key, std::vector<Output>> outputs_;
  std::vector<Call> waiting_;
};

}  // namespace

Json model_config(const Model& model) {
  const bool sequential = dynamic_cast<const Sequential*>(&model) != nullptr;
  return json_object({{"class_name", json_of(sequential ? "Sequential" : "Model")},
                      {"config", sequential ? sequential_config(model) : network_config(model)}});
}

ModelRef model_from_config(const Json& described) {
  const std::string& class_name = text_of(member(described, "class_name"), "class_name");
  const Json& config = member(described, "config");
  if (class_name == "Sequential") return sequential_of(config);
  require(class_name == "Model" || class_name == "Functional", "Unknown model: ", class_name);
  const Builder built(config);
  const Json* const name = config.find("name");
  return std::make_shared<Model>(built.pick(member(config, "input_layers")),
                                 built.pick(member(config, "output_layers")),
                                 name == nullptr ? std::string() : text_of(*name, "name"));
}

std::string to_json(const Model& model) {
  Json described = model_config(model);
  described.members.emplace_back("keras_version", json_of("2.2.4-tf"));
  described.members.emplace_back("backend", json_of("tensorflow"));
  return to_text(described);
}
ModelRef model_from_json(const std::string& json) { return model_from_config(parse_json(json)); }
ModelRef clone_model(const Model& model) { return model_from_config(model_config(model)); }

}  // namespace rill::keras
