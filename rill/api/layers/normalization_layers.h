#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rill/api/layers/layer_parts.h"

namespace rill::layers {

// Batch renormalisation also corrects a batch towards the moving averages: r = stddev / average
// stddev within [rmin, rmax], d = (mean - average mean) / average stddev within [-dmax, dmax]. What
// is absent is not clipped.
struct RenormClipping {
  OptionalInput rmax{}, rmin{}, dmax{};
};

struct BatchNormalizationOptions {
  std::vector<int> axis = {-1};  // each position along these has its own mean and variance
  Input momentum = 0.99;
  double epsilon = 1e-3;
  bool center = true, scale = true;
  Initializer beta_initializer{}, gamma_initializer{};  // none: zeros, ones
  Initializer moving_mean_initializer{}, moving_variance_initializer{};
  Regularizer beta_regularizer{}, gamma_regularizer{};
  ConstraintFunction beta_constraint{}, gamma_constraint{};
  Input training = false;  // of the function; layers are told with each call
  bool trainable = true;
  DType dtype = DType::invalid;
  std::string name{};
  Reuse reuse = Reuse::kUnset;
  bool renorm = false;
  RenormClipping renorm_clipping{};
  Input renorm_momentum = 0.99;
  std::optional<bool> fused{};                       // none: one op for images and volumes
  std::optional<std::int64_t> virtual_batch_size{};  // parts of the batch, each by itself
  // Of the input's shape: a scale and an offset for what was normalised, while training.
  std::function<std::pair<Output, Output>(Output shape)> adjustment{};
};

// (x - mean) / sqrt(variance + epsilon) * gamma + beta: mean and variance are the batch's while
// training, else the moving averages, which the layer's updates keep: average = momentum * average
// + (1 - momentum) * batch.
//
//   Output y = layers::batch_normalization(x, {.training = is_training});
//   // and in training: run the collection UPDATE_OPS with each step
//
// Whoever does not run the updates finds a model that is good in training and bad afterwards.
// Averages and parameters are float32 for half types. Images of float32 or half types, with one
// axis of 1 or 3 and none of renorm, virtual batches or adjustment, use one fused op.
//
// The first call throws InvalidArgument when the rank or the size along an axis is unknown, and for
// settings that exclude each other: virtual batches with axis 0 or with an adjustment.
class BatchNormalization : public Layer {
 public:
  explicit BatchNormalization(const BatchNormalizationOptions& options = {}, LayerUse use = {});
  BatchNormalization(std::string class_name, LayerOptions options);

  void build(const PartialShape& input) override;
  Output call(Output x, const CallArguments& arguments) override;
  PartialShape compute_output_shape(const PartialShape& input) const override { return input; }

  BatchNormalizationOptions options;
  std::vector<int> axes;  // options.axis, once the rank is known
  bool is_fused = false;  // once it is built
  Weight gamma, beta, moving_mean, moving_variance, moving_stddev, renorm_mean, renorm_stddev;

 private:
  struct Normalised;
  void choose_fused(const PartialShape& input);
  bool can_be_fused() const;
  DType parameter_type() const;
  void add_averages(const PartialShape& shape);
  Output fused(Output x, const Input& training);
  Output plain(Output x, const CallArguments& arguments, const Input& training);
  Output in_virtual_batches(Output x, Output& original_shape) const;
  void adjust(Normalised& n, Output x, const Input& training) const;
  void normalise_by_batch(Normalised& n, Output x, const CallArguments& arguments,
                          const Input& training);
  void renormalise(Normalised& n, Output& mean, Output& variance, const Input& training);
  Output update_unless(const Input& training, const Weight& average, Output value,
                       const Input& momentum);
  void add_average_updates(Output mean, Output variance, const Input& training);

  std::string op_format_;
  PartialShape parameter_shape_;
};
// Makes a layer for one call.
Output batch_normalization(Output inputs, const BatchNormalizationOptions& options = {},
                           std::source_location at = std::source_location::current());

// variable -= (1 - momentum) * (variable - value), beside the variable; the variable after that, or
// the operation alone.
Output move_average(const Variable& variable, Output value, const Input& momentum);
Node& move_average_op(const Variable& variable, Output value, const Input& momentum);

}  // namespace rill::layers
