#pragma once

#include <memory>
#include <string>

#include "rill/api/keras/model.h"
#include "rill/io/json_values.h"

namespace rill::keras {

using ModelRef = std::shared_ptr<Model>;

// {"class_name": "Sequential", "config": {...}}: the layers and how they are connected, without
// weights, as tf.keras writes them. Throws InvalidArgument where a layer cannot be written.
Json model_config(const Model& model);
// A new model with new weights, in the default graph. Throws InvalidArgument for what no model
// writes.
ModelRef model_from_config(const Json& config);

// The same as text.
std::string to_json(const Model& model);
ModelRef model_from_json(const std::string& json);
// A model of layers of its own, with new weights.
ModelRef clone_model(const Model& model);

}  // namespace rill::keras
