#include "rill/api/keras/network.h"

#include <algorithm>
#include <map>
#include <set>

#include "rill/api/core/basic_ops.h"
#include "rill/base/error.h"

namespace rill::keras {

InputLayer::InputLayer(std::string class_name, rill::layers::LayerOptions options)
    : KerasLayer(std::move(class_name), std::move(options)) {
  built = true;
}

Output InputLayer::open(Output tensor) {
  set_dtype(base_type(tensor.dtype()));
  record({.inputs = {}, .outputs = {tensor}, .arguments = {}});
  return tensor;
}

Output input(const PartialShape& shape, const InputOptions& o, std::source_location at) {
  const MadeAt place(at);
  const std::string name =
      o.name.empty() ? rill::layers::unique_layer_name("input", false) : o.name;
  const auto layer = std::make_shared<InputLayer>(
      "InputLayer", rill::layers::LayerOptions{.name = name, .style = rill::layers::Style::kOwned});
  if (o.tensor) return layer->open(*o.tensor);
  std::vector<std::int64_t> sizes{o.batch_size};
  sizes.insert(sizes.end(), shape.dims().begin(), shape.dims().end());
  return layer->open(placeholder(o.dtype == DType::invalid ? backend::floatx() : o.dtype,
                                 PartialShape(std::span<const std::int64_t>(sizes)),
                                 {.name = name}));
}

namespace {

using Key = std::pair<rill::layers::Layer*, std::size_t>;

// Walks from outputs to inputs, and counts how far each call is from the end.
class Walk {
 public:
  explicit Walk(const std::vector<Output>& inputs) {
    for (const Output& input : inputs) ends_.insert({input.node, input.index});
  }

  void from(Output tensor) {
    const auto maker = rill::layers::made_by(tensor);
    require(
        maker.layer != nullptr,
        "Output tensors to a Model must be the output of a TensorFlow `Layer` (thus holding past "
        "layer metadata). Found: ",
        tensor);
    const Key key{maker.layer, maker.call};
    if (done_.contains(key)) return;
    require(!open_.contains(key), "The tensor ", tensor, " is part of a cycle.");
    if (!place_.contains(maker.layer)) place_.emplace(maker.layer, static_cast<int>(place_.size()));
    open_.insert(key);
    const auto& record = maker.layer->calls().at(maker.call);
    const bool is_end = ends_.contains({tensor.node, tensor.index});
    require(is_end || !record.inputs.empty(), "Graph disconnected: cannot obtain value for tensor ",
            tensor, " at layer \"", maker.layer->name(), "\".");
    if (!is_end)
      for (const Output& before : record.inputs) from(before);
    open_.erase(key);
    done_.insert(key);
    order_.push_back(key);
    if (is_end) stops_.insert(key);
  }

  // Layers by their distance from the outputs, the furthest first.
  std::vector<rill::layers::Layer*> layers(const std::vector<Output>& inputs) {
    std::map<Key, int> depths;
    std::map<rill::layers::Layer*, int> layer_depths;
    for (auto key = order_.rbegin(); key != order_.rend(); ++key) {
      int& depth = depths[*key];
      int& of_layer = layer_depths[key->first];
      depth = of_layer = std::max(depth, of_layer);
      if (stops_.contains(*key)) continue;
      for (const Output& before : key->first->calls().at(key->second).inputs) {
        const auto maker = rill::layers::made_by(before);
        int& parent = depths[{maker.layer, maker.call}];
        parent = std::max(parent, depth + 1);
      }
    }
    for (const Output& input : inputs) {
      rill::layers::Layer* layer = rill::layers::made_by(input).layer;
      if (layer != nullptr && layer_depths.emplace(layer, 0).second) place_[layer] = -1;
    }
    std::vector<rill::layers::Layer*> all;
    for (const auto& [layer, depth] : layer_depths) all.push_back(layer);
    std::ranges::sort(all, [&](auto* a, auto* b) {
      return std::pair(-layer_depths[a], place_[a]) < std::pair(-layer_depths[b], place_[b]);
    });
    return all;
  }

  std::vector<NetworkCall> calls() const {
    std::vector<NetworkCall> all;
    for (const auto& [layer, call] : order_)
      if (!stops_.contains({layer, call})) all.push_back({layer, call});
    return all;
  }

 private:
  std::set<std::pair<const Node*, int>> ends_;
  std::set<Key> open_, done_, stops_;
  std::vector<Key> order_;  // each after what it needs
  std::map<rill::layers::Layer*, int> place_;
};

}  // namespace

Network::Network(std::vector<Output> inputs, std::vector<Output> outputs)
    : inputs_(std::move(inputs)), outputs_(std::move(outputs)) {
  for (const Output& input : inputs_)
    require(rill::layers::made_by(input).layer != nullptr,
            "Input tensors to a Model must come from `tf.keras.Input`. Received: ", input);
  Walk walk(inputs_);
  for (const Output& output : outputs_) walk.from(output);
  layers_ = walk.layers(inputs_);
  calls_ = walk.calls();
}

std::vector<Output> Network::run(const std::vector<Output>& inputs,
                                 const rill::layers::CallArguments& arguments) const {
  require(inputs.size() == inputs_.size(), "the model takes ", inputs_.size(), " inputs, not ",
          inputs.size());
  std::map<std::pair<const Node*, int>, Output> now;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    now[{inputs_[i].node, inputs_[i].index}] = inputs[i];
    if (i < arguments.masks.size() && arguments.masks[i].node)
      rill::layers::set_mask(inputs[i], arguments.masks[i]);
  }
  const auto current = [&](const Output& tensor) {
    const auto found = now.find({tensor.node, tensor.index});
    return found == now.end() ? tensor : found->second;
  };
  for (const NetworkCall& call : calls_) {
    const rill::layers::LayerCall record = call.record();  // a copy: calls add to the list
    std::vector<Output> given;
    for (const Output& input : record.inputs) given.push_back(current(input));
    rill::layers::CallArguments told;
    told.training = arguments.training;
    if (record.arguments.training && record.arguments.training->is_value())
      told.training = record.arguments.training;
    for (const Output& more : record.arguments.more) told.more.push_back(current(more));
    const std::vector<Output> made = (*call.layer)(given, told);
    require(made.size() == record.outputs.size(), "the layer ", call.layer->name(),
            " makes another number of outputs than before");
    for (std::size_t i = 0; i < made.size(); ++i)
      now[{record.outputs[i].node, record.outputs[i].index}] = made[i];
  }
  std::vector<Output> results;
  for (const Output& output : outputs_) results.push_back(current(output));
  return results;
}

}  // namespace rill::keras
