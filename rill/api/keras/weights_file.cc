#include "rill/api/keras/weights_file.h"

#include <algorithm>

#include "rill/base/error.h"
#include "rill/base/log.h"
#include "rill/base/text.h"
#include "rill/io/hdf5.h"

namespace rill::keras {
namespace {

constexpr const char* kVersion = "2.2.4-tf";  // of the Keras that TensorFlow 1.15 has
constexpr const char *kLayers = "model_weights", *kOptimizer = "optimizer_weights";

void write_named(const Hdf5Group& group, const NamedTensors& weights) {
  std::vector<std::string> names;
  for (const auto& [name, value] : weights) names.push_back(name);
  group.set_texts("weight_names", names);
  for (const auto& [name, value] : weights) group.write(name, value);
}

NamedTensors read_named(const Hdf5Group& group) {
  NamedTensors weights;
  for (const std::string& name : group.texts("weight_names"))
    weights.emplace_back(name, group.read(name));
  return weights;
}

void write_layers(const Hdf5Group& group, const std::vector<LayerWeights>& layers) {
  std::vector<std::string> names;
  for (const LayerWeights& layer : layers) names.push_back(layer.layer);
  group.set_texts("layer_names", names);
  group.set_text("backend", "tensorflow");
  group.set_text("keras_version", kVersion);
  for (const LayerWeights& layer : layers)
    write_named(group.create_group(layer.layer), layer.weights);
}

using Matched = std::vector<std::pair<Variable, Tensor>>;

bool same_shapes(const LayerVariables& layer, const LayerWeights& stored) {
  for (std::size_t i = 0; i < layer.variables.size(); ++i)
    if (!layer.variables[i].shape().is_compatible(stored.weights[i].second.shape())) return false;
  return true;
}

void add_layer(const LayerVariables& layer, const LayerWeights& stored, Matched& matched) {
  for (std::size_t i = 0; i < layer.variables.size(); ++i)
    matched.emplace_back(layer.variables[i], stored.weights[i].second);
}

void require_shapes(const LayerVariables& layer, const LayerWeights& stored, std::size_t number) {
  for (std::size_t i = 0; i < layer.variables.size(); ++i)
    require(layer.variables[i].shape().is_compatible(stored.weights[i].second.shape()), "Layer #",
            number, " (named \"", layer.layer, "\"), weight ", layer.variables[i].name(),
            " has shape ", layer.variables[i].shape(), ", but the saved weight has shape ",
            stored.weights[i].second.shape(), ".");
}

Matched in_order(const std::vector<LayerVariables>& layers,
                 const std::vector<LayerWeights>& stored) {
  std::vector<const LayerVariables*> wanted;
  std::vector<const LayerWeights*> given;
  for (const LayerVariables& layer : layers)
    if (!layer.variables.empty()) wanted.push_back(&layer);
  for (const LayerWeights& layer : stored)
    if (!layer.weights.empty()) given.push_back(&layer);
  require(wanted.size() == given.size(), "You are trying to load a weight file containing ",
          given.size(), " layers into a model with ", wanted.size(), " layers.");
  Matched matched;
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    const LayerVariables& layer = *wanted[k];
    require(layer.variables.size() == given[k]->weights.size(), "Layer #", k, " (named \"",
            layer.layer, "\" in the current model) was found to correspond to layer ",
            given[k]->layer, " in the save file. However the new layer ", layer.layer, " expects ",
            layer.variables.size(), " weights, but the saved weights have ",
            given[k]->weights.size(), " elements.");
    require_shapes(layer, *given[k], k);
    add_layer(layer, *given[k], matched);
  }
  return matched;
}

Matched by_name(const std::vector<LayerVariables>& layers, const std::vector<LayerWeights>& stored,
                bool skip_mismatch) {
  Matched matched;
  for (std::size_t k = 0; k < stored.size(); ++k)
    for (const LayerVariables& layer : layers) {
      if (layer.layer != stored[k].layer) continue;
      const std::size_t wanted = layer.variables.size(), given = stored[k].weights.size();
      if (skip_mismatch && (wanted != given || !same_shapes(layer, stored[k]))) {
        log(LogLevel::kWarning, "Skipping loading of weights for layer ", layer.layer,
            " due to mismatch in number or shape of weights.");
        continue;
      }
      require(wanted == given, "Layer #", k, " (named \"", layer.layer, "\") expects ", wanted,
              " weight(s), but the saved weights have ", given, " element(s).");
      require_shapes(layer, stored[k], k);
      add_layer(layer, stored[k], matched);
    }
  return matched;
}

}  // namespace

bool has_model_file_name(const std::string& path) {
  return std::ranges::any_of(std::initializer_list<const char*>{".h5", ".hdf5", ".keras"},
                             [&](const char* ending) { return path.ends_with(ending); });
}

bool is_model_file(const std::string& path) { return Hdf5File::is_hdf5(path); }

void write_model_file(const std::string& path, const ModelFile& file) {
  Hdf5File written = Hdf5File::create(path);
  {
    const Hdf5Group root = written.root();
    if (!file.model_config) {
      write_layers(root, file.layers);
    } else {
      root.set_text("keras_version", kVersion);
      root.set_text("backend", "tensorflow");
      root.set_text("model_config", *file.model_config);
      if (file.training_config) root.set_text("training_config", *file.training_config);
      write_layers(root.create_group(kLayers), file.layers);
      if (!file.optimizer_weights.empty())
        write_named(root.create_group(kOptimizer), file.optimizer_weights);
    }
  }
  written.close();
}

ModelFile read_model_file(const std::string& path) {
  const Hdf5File opened = Hdf5File::open(path);
  const Hdf5Group root = opened.root();
  ModelFile file;
  file.model_config = root.text("model_config");
  file.training_config = root.text("training_config");
  const bool inside = !root.has_attribute("layer_names") && root.has(kLayers);
  const Hdf5Group layers = inside ? root.group(kLayers) : root;
  for (const std::string& name : layers.texts("layer_names"))
    file.layers.push_back({name, read_named(layers.group(name))});
  if (root.has(kOptimizer)) file.optimizer_weights = read_named(root.group(kOptimizer));
  return file;
}

Matched weights_to_load(const std::vector<LayerVariables>& layers,
                        const std::vector<LayerWeights>& stored, const LoadOptions& options) {
  return options.by_name ? by_name(layers, stored, options.skip_mismatch)
                         : in_order(layers, stored);
}

}  // namespace rill::keras
