#pragma once

#include <source_location>
#include <string>

#include "rill/api/core/default_graph.h"
#include "rill/api/gen/plain_nn.h"

namespace rill::nn {

// Activations and layers that are more than one op; the others are in api/gen/plain_nn.h.

struct ActivationOptions {
  std::string name{};
};
// x, but not below 0 nor above 6.
Output relu6(const Input& features, const ActivationOptions& options = {},
             std::source_location at = std::source_location::current());

struct LeakyReluOptions {
  float alpha = 0.2F;
  std::string name{};
};
// x where it is above 0, else alpha * x. Integers become floats.
Output leaky_relu(const Input& features, const LeakyReluOptions& options = {},
                  std::source_location at = std::source_location::current());

struct CreluOptions {
  int axis = -1;
  std::string name{};
};
// relu(x) and relu(-x), one after the other along `axis`, which becomes twice as long: no sign is
// lost.
Output crelu(const Input& features, const CreluOptions& options = {},
             std::source_location at = std::source_location::current());

// x * sigmoid(x); its gradient computes the sigmoid anew instead of keeping it.
Output swish(const Input& features, std::source_location at = std::source_location::current());

struct BiasAddOptions {
  std::string data_format{};  // "NHWC"; "NCHW": the channels are the second dimension
  std::string name{};
};
// A bias, a vector, added to each channel. The channels are the last dimension, or the second for
// formats "NC...". Throws InvalidArgument when there is no such format.
Output bias_add(const Input& value, const Input& bias, const BiasAddOptions& options = {},
                std::source_location at = std::source_location::current());

// x * weights + biases, and the larger of that and 0. x is a matrix [batch, in], weights [in, out].
Output xw_plus_b(const Input& x, const Input& weights, const Input& biases,
                 const ActivationOptions& options = {},
                 std::source_location at = std::source_location::current());
Output relu_layer(const Input& x, const Input& weights, const Input& biases,
                  const ActivationOptions& options = {},
                  std::source_location at = std::source_location::current());

}  // namespace rill::nn
