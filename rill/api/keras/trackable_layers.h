#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rill/api/layers/layer.h"
#include "rill/api/saver/trackable.h"

// Layers, models and optimizers of Keras as parts of checkpoints. as_trackable() is in the
// namespace of what it takes, where train::TrackableInput finds it.
namespace rill::layers {

// Throws InvalidArgument for null.
train::TrackableRef as_trackable(std::shared_ptr<Layer> layer);  // models, too

// The variables of a layer itself, not of its parts, by their names in it: "kernel", "gates/bias".
std::vector<std::pair<std::string, Variable>> named_weights(const Layer& layer);

}  // namespace rill::layers

namespace rill::keras {

class Optimizer;
train::TrackableRef as_trackable(std::shared_ptr<Optimizer> optimizer);

}  // namespace rill::keras
