#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "rill/api/keras/activations.h"
#include "rill/api/keras/backend.h"
#include "rill/api/layers/layer.h"

namespace rill::keras {

// One weight as options describe it.
struct WeightRule {
  Initializer initializer = {};  // none: the layer's own default
  Regularizer regularizer = {};
  ConstraintFunction constraint = {};
};

// What layers of tf.keras are set up with; each reads what concerns it, so that a face of another
// language needs no class for each. Names and defaults are TensorFlow's.
struct LayerSettings {
  std::int64_t units = 0, filters = 0, n = 0, depth_multiplier = 1;
  std::int64_t input_dim = 0, output_dim = 0;
  std::vector<std::int64_t> kernel_size = {}, strides = {}, pool_size = {}, size = {},
                            dilation_rate = {}, output_padding = {};
  std::vector<std::int64_t> target_shape = {}, dims = {}, axes = {}, shared_axes = {};
  std::string padding = "valid", data_format = {}, interpolation = "nearest";
  backend::Margins margins = {};  // `padding` of ZeroPadding, `cropping` of Cropping
  std::optional<Activation> activation = {}, recurrent_activation = {};
  bool use_bias = true, normalize = false, use_scale = false, center = true, scale = true;
  bool mask_zero = false, unit_forget_bias = true, reset_after = false;
  WeightRule kernel = {}, recurrent = {}, bias = {}, depthwise = {}, embeddings = {},
             alpha_weight = {}, beta = {}, gamma = {};
  double rate = 0, stddev = 0, mask_value = 0, l1 = 0, l2 = 0, alpha = 0, theta = 1.0;
  double negative_slope = 0, threshold = 0, epsilon = 1e-3, dropout = 0, recurrent_dropout = 0;
  std::optional<double> max_value = {};
  std::optional<std::vector<std::int64_t>> noise_shape = {};
  std::optional<std::int64_t> seed = {};
  int axis = -1, implementation = 1;
};

// A layer of tf.keras: all that it is told stands in `s`, which must not change after the first
// call.
class KerasLayer : public layers::Layer {
 public:
  KerasLayer(std::string class_name, layers::LayerOptions options)
      : Layer(std::move(class_name), std::move(options)) {}

  LayerSettings s;

 protected:
  using Output = rill::Output;
  // A weight after `rule`; `otherwise` is its initializer where the rule has none.
  layers::Weight add(const char* name, const PartialShape& shape, const WeightRule& rule,
                     const Initializer& otherwise = {}, bool trainable = true);
  bool channels_first() const;
  // Throws InvalidArgument unless the shape has so many dimensions, or at least so many.
  void need_rank(const PartialShape& shape, int rank) const;
  void need_at_least(const PartialShape& shape, int rank) const;
  // Whether the layer is being trained: what the call says, else the learning phase.
  static Input training_of(const layers::CallArguments& arguments);
};

// One whose output has the shape of its input.
class SameShape : public KerasLayer {
 public:
  SameShape(std::string class_name, layers::LayerOptions options)
      : KerasLayer(std::move(class_name), std::move(options)) {
    supports_masking = true;
  }
  PartialShape compute_output_shape(const PartialShape& input) const override { return input; }
};

}  // namespace rill::keras
