#pragma once

#include <memory>
#include <string>

#include "rill/api/keras/layers.h"
#include "rill/io/json_values.h"

// Layers as JSON, which files of models hold, and layers of JSON.
namespace rill::keras {

// What a layer was made of.
struct Recipe {
  std::string class_name = {};
  LayerSettings settings = {};
  LayerArguments arguments = {};
  std::shared_ptr<rill::layers::Layer> inner = {};  // of wrappers
  std::string merge_mode = {};                      // of Bidirectional
};
// A layer that knows it.
class Configured {
 public:
  virtual ~Configured() = default;
  Recipe recipe;
};
template <class L>
class AsMade : public L, public Configured {
 public:
  using L::L;
};

namespace layers {

// {"class_name": "Dense", "config": {"name": ..., "units": ..., ...}}, as tf.keras writes it.
// Throws InvalidArgument for layers that do not say what they are made of: subclasses without
// HasConfig, and functions of the program that have no name.
Json serialize(const rill::layers::Layer& layer);
inline Json serialize(const LayerRef& layer) { return serialize(*layer.layer); }
// A new layer, with new weights. Also of classes that are among
// keras::utils::get_custom_objects(). Throws InvalidArgument for a class or a setting that is not
// known.
LayerRef deserialize(const Json& config);

}  // namespace layers
}  // namespace rill::keras
