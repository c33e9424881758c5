// Weights of models in files.
#include "rill/api/core/basic_ops.h"
#include "rill/api/keras/model.h"
#include "rill/api/keras/trackable_layers.h"
#include "rill/api/keras/weights_file.h"
#include "rill/api/saver/object_saver.h"

namespace rill::keras {
namespace {

train::TrackableRef tracked(Model& model) {
  return train::TrackableInput(static_cast<rill::layers::Layer&>(model)).object();
}

}  // namespace

void Model::save_weights(const std::string& filepath) {
  runner();  // whatever has no value yet gets its first one
  if (!has_model_file_name(filepath)) {
    train::ObjectSaver(tracked(*this)).save(train::run_steps_of(session()), filepath);
    return;
  }
  ModelFile file;
  for (const rill::layers::Layer* layer : layers()) {
    LayerWeights& item = file.layers.emplace_back(LayerWeights{layer->name(), {}});
    for (const Variable& variable : layer->weights())
      item.weights.emplace_back(variable.name(), session().run(variable.snapshot()));
  }
  write_model_file(filepath, file);
}

void Model::load_weights(const std::string& filepath) {
  const Training::Run step = runner();
  if (!is_model_file(filepath)) {
    train::ObjectSaver(tracked(*this)).restore(filepath)->run_restore_ops(session());
    return;
  }
  std::vector<LayerVariables> own;
  for (const rill::layers::Layer* layer : layers())
    own.push_back({layer->name(), layer->weights()});
  for (const auto& [variable, value] : weights_to_load(own, read_model_file(filepath).layers)) {
    const Output fed = placeholder(variable.dtype(), variable.shape());
    Node* const assignment = &variable.assign_op(fed);
    const Feed feed{fed, value};
    step(std::span(&feed, 1), {}, std::span(&assignment, 1));
  }
}

}  // namespace rill::keras
