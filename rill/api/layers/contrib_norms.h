#pragma once

#include "rill/api/layers/contrib_layers.h"

namespace rill::contrib::layers {

// Normalisation within examples: (x - mean) / sqrt(variance + epsilon) * gamma + beta, with mean
// and variance of parts of one example. Nothing is averaged over steps, so there is no is_training
// and there are no updates. All throw InvalidArgument when the rank or the number of channels is
// unknown.

struct InstanceNormOptions {
  bool center = true, scale = true;
  double epsilon = 1e-6;
  Activation activation_fn{};
  std::map<std::string, Initializer> param_initializers{};  // of "beta" and "gamma"
  Reuse reuse = Reuse::kUnset;
  VariableCollections variables_collections{};
  Names outputs_collections{};
  bool trainable = true;
  std::string data_format = "NHWC";
  ScopeChoice scope{};
};
// Each channel of each example by its own mean and variance over space.
Output instance_norm(Output inputs, const InstanceNormOptions& options = {},
                     std::source_location at = std::source_location::current());

// reduction_axes are those of space and must not hold the channels; negative axes count from the
// end. The default is for images with channels last.
struct GroupNormOptions {
  std::int64_t groups = 32;
  int channels_axis = -1;
  std::vector<int> reduction_axes = {-3, -2};
  bool center = true, scale = true;
  double epsilon = 1e-6;
  Activation activation_fn{};
  std::map<std::string, Initializer> param_initializers{};
  Reuse reuse = Reuse::kUnset;
  VariableCollections variables_collections{};
  Names outputs_collections{};
  bool trainable = true;
  ScopeChoice scope{};
};
// Groups of channels of each example by their own mean and variance over the group and
// `reduction_axes`. Throws InvalidArgument unless `groups` divides the number of channels. One
// group is layer normalisation, a group for each channel is instance normalisation.
Output group_norm(Output inputs, const GroupNormOptions& options = {},
                  std::source_location at = std::source_location::current());

struct UnitNormOptions {
  double epsilon = 1e-7;
  std::string scope{};
};
// x / sqrt(sum(x^2) + epsilon) along `dim`: vectors of length 1. Throws InvalidArgument for a
// negative `dim`, which other functions would count from the end; TensorFlow's does so, too.
Output unit_norm(Output inputs, int dim, const UnitNormOptions& options = {},
                 std::source_location at = std::source_location::current());

struct MaxoutOptions {
  int axis = -1;
  std::string scope{};
};
// The largest of each group of neighbouring channels; `num_units` groups. Throws InvalidArgument
// when the channels cannot be divided so. The axis stays, with num_units entries.
Output maxout(Output inputs, std::int64_t num_units, const MaxoutOptions& options = {},
              std::source_location at = std::source_location::current());

}  // namespace rill::contrib::layers
