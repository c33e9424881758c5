#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "rill/api/layers/layers.h"
#include "rill/api/nn/activations.h"

// tf.contrib.layers: layers as functions, with variables called weights and biases, which are in
// the collection MODEL_VARIABLES. Each call makes variables of its own in a scope whose name is
// made unique; to share them name the `scope` and set `reuse`.
//
//   Output h = contrib::layers::fully_connected(x, 64);       // relu by default
//   Output y = contrib::layers::fully_connected(h, 10, {.activation_fn = nullptr});
//
// Common to all options: an empty regularizer, activation or normalizer is none. A normalizer takes
// the place of the biases and comes before the activation. Regularizers add to
// REGULARIZATION_LOSSES. `outputs_collections` get the output under the scope's name as alias.
// Functions throw InvalidArgument when shapes or settings do not fit; sizes along channels must be
// known.
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

// While it lives, variables of layers are made on that device; what is computed from them is not.
class ModelVariableDevice {
 public:
  explicit ModelVariableDevice(DeviceChoice device);
  ~ModelVariableDevice();
  ModelVariableDevice(const ModelVariableDevice&) = delete;
  ModelVariableDevice& operator=(const ModelVariableDevice&) = delete;

 private:
  DeviceChoice device_;
  const DeviceChoice* outer_;
};

// Glorot's: variance 2 / (inputs + outputs), uniform or truncated normal.
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
// activation(x * weights + biases) along the last dimension, of inputs of two dimensions or more.
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
// convolution() that throws InvalidArgument when the inputs have another rank than 3, 4 or 5.
Output conv1d(Output inputs, std::int64_t num_outputs, const nn::Sizes& kernel_size,
              ConvolutionOptions options = {},
              std::source_location at = std::source_location::current());
Output conv2d(Output inputs, std::int64_t num_outputs, const nn::Sizes& kernel_size,
              ConvolutionOptions options = {},
              std::source_location at = std::source_location::current());
Output conv3d(Output inputs, std::int64_t num_outputs, const nn::Sizes& kernel_size,
              ConvolutionOptions options = {},
              std::source_location at = std::source_location::current());
// The transposes, which enlarge by the stride: layers/convolution_layers.h.
Output conv2d_transpose(Output inputs, std::int64_t num_outputs, const nn::Sizes& kernel_size,
                        const ConvolutionOptions& options = {},
                        std::source_location at = std::source_location::current());
Output conv3d_transpose(Output inputs, std::int64_t num_outputs, const nn::Sizes& kernel_size,
                        const ConvolutionOptions& options = {},
                        std::source_location at = std::source_location::current());

// The regularizer of the weights applies to depthwise and pointwise weights alike.
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
// A filter for each channel, "depthwise_weights", then a mixing of channels by "pointwise_weights".
// Without a number of outputs the channels are not mixed: there are channels * depth_multiplier.
Output separable_conv2d(Output inputs, std::optional<std::int64_t> num_outputs,
                        const nn::Sizes& kernel_size,
                        const SeparableConvolutionOptions& options = {},
                        std::source_location at = std::source_location::current());

// `param_initializers` and `param_regularizers` go by "beta", "gamma", "moving_mean" and
// "moving_variance" (regularizers by the first two). Without `scale` there is no gamma: the next
// layer can scale. `is_training` may be a tensor; then both forms are in the graph and one runs.
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
  OptionalInput batch_weights{};         // how often each example counts in mean and variance
  bool zero_debias_moving_mean = false;  // the mean as if it had not started at zero
};
// (x - mean) / sqrt(variance + epsilon) * gamma + beta for each channel; see
// layers::BatchNormalization. Programs must run the updates, of UPDATE_OPS by default, with each
// step of training, or averages keep their initial values and the model fails when it is not
// training.
Output batch_norm(Output inputs, const BatchNormOptions& options = {},
                  std::source_location at = std::source_location::current());

// Mean and variance are those of the dimensions from begin_norm_axis on; beta and gamma have the
// shape of those from begin_params_axis on, which must be known. Negative axes count from the end.
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
// Each example by its own mean and variance, so it does not depend on the batch and has no updates.
// epsilon is 1e-12, and 1e-3 for float16, as in TensorFlow.
Output layer_norm(Output inputs, const LayerNormOptions& options = {},
                  std::source_location at = std::source_location::current());

// Channels are last unless the format begins with "NC".
struct PoolOptions {
  nn::Sizes stride = 2;
  std::string padding = "VALID";
  std::string data_format{};
  Names outputs_collections{};
  std::string scope{};
};
Output max_pool2d(Output inputs, const nn::Sizes& kernel_size, const PoolOptions& options = {},
                  std::source_location at = std::source_location::current());
Output avg_pool2d(Output inputs, const nn::Sizes& kernel_size, const PoolOptions& options = {},
                  std::source_location at = std::source_location::current());
Output max_pool3d(Output inputs, const nn::Sizes& kernel_size, const PoolOptions& options = {},
                  std::source_location at = std::source_location::current());
Output avg_pool3d(Output inputs, const nn::Sizes& kernel_size, const PoolOptions& options = {},
                  std::source_location at = std::source_location::current());

// keep_prob is the share that stays, where layers::DropoutOptions has the share that goes. The
// others are divided by it, so that the expected sum is the same. `is_training` false: the inputs.
struct DropoutOptions {
  Input keep_prob = 0.5;
  std::optional<std::vector<OptionalInput>> noise_shape{};
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
// [batch, all other dimensions as one].
Output flatten(Output inputs, const FlattenOptions& options = {},
               std::source_location at = std::source_location::current());

struct OneHotOptions {
  Input on_value = 1.0F, off_value = 0.0F;
  Names outputs_collections{};
  std::string scope{};
};
// [..., num_classes], with on_value where the label says so. Labels of int32 become int64; one that
// is no class gives a row of off_value.
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
// inputs + a variable "biases" with a number for each channel.
Output bias_add(Output inputs, const BiasAddOptions& options = {},
                std::source_location at = std::source_location::current());

// nn::softmax along the last dimension, of matrices made of it.
Output softmax(Output logits, const ScopeChoice& scope = {},
               std::source_location at = std::source_location::current());

// Names under which outputs are known in collections: those of their scopes. Kept by the graph;
// empty where there is none.
const Names& aliases_of(Output output);
void add_alias(Output output, const std::string& alias);
// Adds an output to collections under an alias.
Output collect_named_output(const Names& collections, const std::string& alias, Output output);

}  // namespace rill::contrib::layers
