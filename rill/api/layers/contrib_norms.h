#pragma once

#include "rill/api/layers/contrib_layers.h"

namespace rill::contrib::layers {

// Normalisation within examples.

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
// Groups of channels of each example by their own mean and variance. Throws InvalidArgument when
// the channels cannot be divided so.
Output group_norm(Output inputs, const GroupNormOptions& options = {},
                  std::source_location at = std::source_location::current());

struct UnitNormOptions {
  double epsilon = 1e-7;
  std::string scope{};
};
// Vectors along `dim` of length 1.
Output unit_norm(Output inputs, int dim, const UnitNormOptions& options = {},
                 std::source_location at = std::source_location::current());

struct MaxoutOptions {
  int axis = -1;
  std::string scope{};
};
// The largest of each group of channels; `num_units` groups. Throws InvalidArgument when the
// channels cannot be divided so.
Output maxout(Output inputs, std::int64_t num_units, const MaxoutOptions& options = {},
              std::source_location at = std::source_location::current());

}  // namespace rill::contrib::layers
