#include "rill/api/keras/trackable_layers.h"

#include <algorithm>

#include "rill/api/keras/model.h"
#include "rill/api/keras/recurrent_layers.h"
#include "rill/api/rnn/cell_wrappers.h"
#include "rill/api/rnn/cells.h"
#include "rill/base/text.h"

namespace rill::keras {
namespace {

using rill::layers::Layer;
using rill::layers::named_weights;
using train::as_trackable;
using train::Trackable;
using train::TrackableRef;
using Children = std::vector<Trackable::Child>;

// What a variable is called inside of its layer: "kernel" of "dense/kernel".
std::string name_inside(const Layer& layer, const Variable& variable) {
  const std::string name = variable.handle().node->name();
  if (layer.scope() && name.starts_with(layer.scope()->name + "/"))
    return name.substr(layer.scope()->name.size() + 1);
  const std::string own = layer.name() + "/";
  if (const std::size_t at = name.rfind(own); at != std::string::npos)
    return name.substr(at + own.size());
  return name.substr(name.rfind('/') + 1);
}

std::shared_ptr<Layer> reference_to(Layer& layer) {
  if (auto owned = layer.weak_from_this().lock()) return owned;
  return {std::shared_ptr<void>(), &layer};  // made on the stack: its owner outlives the checkpoint
}

// What TensorFlow's classes call the attributes that hold their parts.
std::string part_name(const Layer& layer, std::size_t number) {
  if (dynamic_cast<const nn::rnn_cell::MultiRNNCell*>(&layer)) return str_cat("cell-", number);
  if (dynamic_cast<const nn::rnn_cell::CellWrapper*>(&layer)) return "cell";
  if (dynamic_cast<const keras::layers::Recurrent*>(&layer)) return "cell";
  if (dynamic_cast<const keras::layers::TimeDistributedLayer*>(&layer)) return "layer";
  if (dynamic_cast<const keras::layers::Bidirectional*>(&layer))
    return number == 0 ? "forward_layer" : "backward_layer";
  return layer.parts()[number]->name();
}

Children parts_of_model(const keras::Model& model) {
  std::vector<std::pair<TrackableRef, bool>> numbered;
  for (Layer* layer : model.layers())
    numbered.emplace_back(rill::layers::as_trackable(reference_to(*layer)),
                          !layer->weights().empty());
  Children children = train::numbered_layers(numbered);
  if (model.optimizer()) children.push_back({"optimizer", keras::as_trackable(model.optimizer())});
  return children;
}

class TrackedLayer : public Trackable {
 public:
  explicit TrackedLayer(std::shared_ptr<Layer> layer) : layer_(std::move(layer)) {}
  const void* identity() const override { return layer_.get(); }
  std::string describe() const override {
    return str_cat("<", layer_->class_name(), " '", layer_->name(), "'>");
  }
  Children children() override {
    if (const auto* model = dynamic_cast<const keras::Model*>(layer_.get()))
      return parts_of_model(*model);
    Children children;
    for (const auto& [name, variable] : named_weights(*layer_))
      children.push_back({name, as_trackable(variable)});
    for (std::size_t i = 0; i < layer_->parts().size(); ++i)
      children.push_back({part_name(*layer_, i), rill::layers::as_trackable(layer_->parts()[i])});
    return children;
  }

 private:
  std::shared_ptr<Layer> layer_;
};

class TrackedKerasOptimizer : public Trackable {
 public:
  explicit TrackedKerasOptimizer(keras::OptimizerRef optimizer)
      : optimizer_(std::move(optimizer)) {}
  const void* identity() const override { return optimizer_.get(); }
  std::string describe() const override { return str_cat("<optimizer ", optimizer_->name(), ">"); }
  Children children() override {
    Children children;
    if (executing_eagerly()) optimizer_->create_hypers();
    if (executing_eagerly() || optimizer_->has_iterations())
      children.push_back({"iter", as_trackable(optimizer_->iterations())});
    for (const std::string& name : optimizer_->hyper_names())
      if (const Variable variable = optimizer_->hyper_variable(name))
        children.push_back({name, as_trackable(variable)});
    return children;
  }
  std::vector<std::string> slot_names() override { return optimizer_->slot_names(); }
  Variable slot(const Variable& of, const std::string& name) override {
    if (of.is_eager() && executing_eagerly() && !optimizer_->find_slot(of, name))
      optimizer_->create_slots({of});
    return optimizer_->find_slot(of, name);
  }

 private:
  keras::OptimizerRef optimizer_;
};

}  // namespace

TrackableRef as_trackable(std::shared_ptr<Optimizer> optimizer) {
  require(optimizer != nullptr, "an optimizer to be saved is none");
  return std::make_shared<TrackedKerasOptimizer>(std::move(optimizer));
}

}  // namespace rill::keras

namespace rill::layers {

std::vector<std::pair<std::string, Variable>> named_weights(const Layer& layer) {
  std::vector<Variable> own = layer.weights();
  for (const auto& part : layer.parts())
    for (const Variable& variable : part->weights()) std::erase(own, variable);
  std::vector<std::pair<std::string, Variable>> named;
  for (const Variable& variable : own)
    named.emplace_back(keras::name_inside(layer, variable), variable);
  return named;
}

train::TrackableRef as_trackable(std::shared_ptr<Layer> layer) {
  require(layer != nullptr, "a layer to be saved is none");
  return std::make_shared<keras::TrackedLayer>(std::move(layer));
}

}  // namespace rill::layers
