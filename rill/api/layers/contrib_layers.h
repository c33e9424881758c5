#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "rill/api/layers/layers.h"
#include "rill/api/nn/activations.h"

// tf.contrib.layers: layers as functions, with variables called weights and biases, which are in
// the collection MODEL_VARIABLES.
namespace rill::contrib::layers {

using rill::layers::Activation;
using rill::layers::CallArguments;
using rill::layers::Layer;
using rill::layers::LayerOptions;
using rill::layers::ScopeChoice;
using rill::layers::Weight;
using rill::layers::WeightOptions;

// Collections that variables are added to: all of them, or by name ("weights", "biases").
struct VariableCollections {
  std::vector<std::string> all{};
  std::map<std::string, std::vector<std::string>> by_name{};
};
using Names = std::vector<std::string>;

Initializer xavier_initializer(bool uniform = true, std::optional<std::int64_t> seed = {});

struct FullyConnectedOptions {
  Activation activation_fn = nn::relu;
  Activation normalizer_fn{};  // instead of biases
  Initializer weights_initializer = xavier_initializer();
  Regularizer weights_regularizer{};
  Initializer biases_initializer = zeros_initializer();  // none: no biases
  Regularizer biases_regularizer{};
  Reuse reuse = Reuse::kUnset;
  VariableCollections variables_collections{};
  Names outputs_collections{};
  bool trainable = true;
  ScopeChoice scope{};  // none: "fully_connected", made unique
};
Output fully_connected(Output inputs, std::int64_t num_outputs,
                       const FullyConnectedOptions& options = {},
                       std::source_location at = std::source_location::current());
// Without an activation.
Output linear(Output inputs, std::int64_t num_outputs, FullyConnectedOptions options = {},
              std::source_location at = std::source_location::current());

struct ConvolutionOptions {
  nn::Sizes stride = 1;
  std::string padding = "SAME";
  std::string data_format{};  // channels last; "NC...": channels first
  nn::Sizes rate = 1;
  Activation activation_fn = nn::relu;
  Activation normalizer_fn{};
  Initializer weights_initializer = xavier_initializer();
  Regularizer weights_regularizer{};
  Initializer biases_initializer = zeros_initializer();
  Regularizer biases_regularizer{};
  Reuse reuse = Reuse::kUnset;
  VariableCollections variables_collections{};
  Names outputs_collections{};
  bool trainable = true;
  ScopeChoice scope{};             // none: "Conv", made unique
  std::optional<int> conv_dims{};  // none: whatever the rank of the inputs asks for
};
// Over one, two or three dimensions of space.
Output convolution(Output inputs, std::int64_t num_outputs, const nn::Sizes& kernel_size,
                   const ConvolutionOptions& options = {},
                   std::source_location at = std::source_location::current());
Output conv1d(Output inputs, std::int64_t num_outputs, const nn::Sizes& kernel_size,
              ConvolutionOptions options = {},
              std::source_location at = std::source_location::current());
Output conv2d(Output inputs, std::int64_t num_outputs, const nn::Sizes& kernel_size,
              ConvolutionOptions options = {},
              std::source_location at = std::source_location::current());
Output conv3d(Output inputs, std::int64_t num_outputs, const nn::Sizes& kernel_size,
              ConvolutionOptions options = {},
              std::source_location at = std::source_location::current());
Output conv2d_transpose(Output inputs, std::int64_t num_outputs, const nn::Sizes& kernel_size,
                        const ConvolutionOptions& options = {},
                        std::source_location at = std::source_location::current());
Output conv3d_transpose(Output inputs, std::int64_t num_outputs, const nn::Sizes& kernel_size,
                        const ConvolutionOptions& options = {},
                        std::source_location at = std::source_location::current());

struct SeparableConvolutionOptions {
  std::int64_t depth_multiplier = 1;
  nn::Sizes stride = 1;
  std::string padding = "SAME";
  std::string data_format{};
  nn::Sizes rate = 1;
  Activation activation_fn = nn::relu;
  Activation normalizer_fn{};
  Initializer weights_initializer = xavier_initializer();
  Initializer pointwise_initializer{};  // none: as the weights
  Regularizer weights_regularizer{};
  Initializer biases_initializer = zeros_initializer();
  Regularizer biases_regularizer{};
  Reuse reuse = Reuse::kUnset;
  VariableCollections variables_collections{};
  Names outputs_collections{};
  bool trainable = true;
  ScopeChoice scope{};
};
// Without a number of outputs the channels are not mixed.
Output separable_conv2d(Output inputs, std::optional<std::int64_t> num_outputs,
                        const nn::Sizes& kernel_size,
                        const SeparableConvolutionOptions& options = {},
                        std::source_location at = std::source_location::current());

// Initial values and regularizers of "beta", "gamma", "moving_mean" and "moving_variance".
struct BatchNormOptions {
  Input decay = 0.999;
  bool center = true, scale = false;
  double epsilon = 0.001;
  Activation activation_fn{};
  std::map<std::string, Initializer> param_initializers{};
  std::map<std::string, Regularizer> param_regularizers{};
  // None: the averages are updated whenever the output is computed.
  std::optional<Names> updates_collections = Names{std::string(GraphKeys::UPDATE_OPS)};
  Input is_training = true;
  Reuse reuse = Reuse::kUnset;
  VariableCollections variables_collections{};
  Names outputs_collections{};
  bool trainable = true;
  std::optional<bool> fused{};
  std::string data_format = "NHWC";
  ScopeChoice scope{};
  bool renorm = false;
  rill::layers::RenormClipping renorm_clipping{};
  Input renorm_decay = 0.99;
  std::function<std::pair<Output, Output>(Output shape)> adjustment{};
};
Output batch_norm(Output inputs, const BatchNormOptions& options = {},
                  std::source_location at = std::source_location::current());

struct LayerNormOptions {
  bool center = true, scale = true;
  Activation activation_fn{};
  Reuse reuse = Reuse::kUnset;
  VariableCollections variables_collections{};
  Names outputs_collections{};
  bool trainable = true;
  int begin_norm_axis = 1, begin_params_axis = -1;
  ScopeChoice scope{};
};
// Each example by its own mean and variance.
Output layer_norm(Output inputs, const LayerNormOptions& options = {},
                  std::source_location at = std::source_location::current());

struct PoolOptions {
  nn::Sizes stride = 2;
  std::string padding = "VALID";
  std::string data_format = "NHWC";
  Names outputs_collections{};
  std::string scope{};
};
Output max_pool2d(Output inputs, const nn::Sizes& kernel_size, const PoolOptions& options = {},
                  std::source_location at = std::source_location::current());
Output avg_pool2d(Output inputs, const nn::Sizes& kernel_size, const PoolOptions& options = {},
                  std::source_location at = std::source_location::current());

struct DropoutOptions {
  Input keep_prob = 0.5;
  std::optional<std::vector<std::optional<Input>>> noise_shape{};
  Input is_training = true;
  Names outputs_collections{};
  ScopeChoice scope{};
  std::optional<std::int64_t> seed{};
};
Output dropout(Output inputs, const DropoutOptions& options = {},
               std::source_location at = std::source_location::current());

struct FlattenOptions {
  Names outputs_collections{};
  std::string scope{};
};
Output flatten(Output inputs, const FlattenOptions& options = {},
               std::source_location at = std::source_location::current());

struct OneHotOptions {
  Input on_value = 1.0F, off_value = 0.0F;
  Names outputs_collections{};
  std::string scope{};
};
Output one_hot_encoding(Output labels, std::int64_t num_classes, const OneHotOptions& options = {},
                        std::source_location at = std::source_location::current());

struct BiasAddOptions {
  Activation activation_fn{};
  Initializer initializer = zeros_initializer();
  Regularizer regularizer{};
  Reuse reuse = Reuse::kUnset;
  VariableCollections variables_collections{};
  Names outputs_collections{};
  bool trainable = true;
  std::string data_format = "NHWC";
  ScopeChoice scope{};
};
Output bias_add(Output inputs, const BiasAddOptions& options = {},
                std::source_location at = std::source_location::current());

// nn::softmax along the last dimension, of matrices made of it.
Output softmax(Output logits, const ScopeChoice& scope = {},
               std::source_location at = std::source_location::current());

// Names under which outputs are known in collections: those of their scopes.
const Names& aliases_of(Output output);
void add_alias(Output output, const std::string& alias);
// Adds an output to collections under an alias.
Output collect_named_output(const Names& collections, const std::string& alias, Output output);

}  // namespace rill::contrib::layers
