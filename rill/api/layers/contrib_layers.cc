#include "rill/api/layers/contrib_layers.h"

#include "rill/api/layers/contrib_scope.h"
#include "rill/api/nn/convolution.h"

namespace rill::contrib::layers {
namespace {

using rill::layers::LayerUse;
using Renames = std::map<std::string, std::string>;
const Renames kWeightNames{{"kernel", "weights"}, {"bias", "biases"}};

std::string format_of(const std::string& data_format) {
  return nn::is_channels_first(data_format) ? "channels_first" : "channels_last";
}

// The options of a layer of tf.layers that say the same.
rill::layers::ConvOptions conv_options(const ConvolutionOptions& o, const VariableScopeBlock& in) {
  return {.strides = o.stride,
          .padding = o.padding,
          .data_format = format_of(o.data_format),
          .dilation_rate = o.rate,
          .use_bias = !o.normalizer_fn && o.biases_initializer,
          .kernel_initializer = o.weights_initializer,
          .bias_initializer = o.biases_initializer,
          .kernel_regularizer = o.weights_regularizer,
          .bias_regularizer = o.biases_regularizer,
          .trainable = o.trainable,
          .name = in.scope()->name,
          .reuse = o.reuse};
}

// A convolution in the scope that is open.
template <class Conv>
Output convolve(Output inputs, std::int64_t num_outputs, const nn::Sizes& kernel_size,
                const ConvolutionOptions& o, const VariableScopeBlock& in,
                std::source_location at) {
  Conv layer(num_outputs, kernel_size, conv_options(o, in), {.scope = in.scope()});
  const Output outputs = layer(inputs, {}, at);
  collect(layer.kernel, "weights", o.variables_collections);
  collect(layer.bias, "biases", o.variables_collections);
  return finished(outputs, o.normalizer_fn, o.activation_fn, o.outputs_collections, in);
}

}  // namespace

Initializer xavier_initializer(bool uniform, std::optional<std::int64_t> seed) {
  return contrib_variance_scaling_initializer(
      {.factor = 1.0, .mode = "FAN_AVG", .uniform = uniform, .seed = seed});
}

Output fully_connected(Output inputs, std::int64_t num_outputs, const FullyConnectedOptions& o,
                       std::source_location at) {
  const auto in = model_scope(o.scope, "fully_connected", o.reuse, kWeightNames, at);
  rill::layers::Dense layer(num_outputs,
                            {.use_bias = !o.normalizer_fn && o.biases_initializer,
                             .kernel_initializer = o.weights_initializer,
                             .bias_initializer = o.biases_initializer,
                             .kernel_regularizer = o.weights_regularizer,
                             .bias_regularizer = o.biases_regularizer,
                             .trainable = o.trainable,
                             .name = in->scope()->name,
                             .reuse = o.reuse},
                            {.scope = in->scope()});
  const Output outputs = layer(inputs, {}, at);
  collect(layer.kernel, "weights", o.variables_collections);
  collect(layer.bias, "biases", o.variables_collections);
  return finished(outputs, o.normalizer_fn, o.activation_fn, o.outputs_collections, *in);
}

Output linear(Output inputs, std::int64_t num_outputs, FullyConnectedOptions options,
              std::source_location at) {
  options.activation_fn = nullptr;
  return fully_connected(inputs, num_outputs, options, at);
}

Output convolution(Output inputs, std::int64_t num_outputs, const nn::Sizes& kernel_size,
                   const ConvolutionOptions& o, std::source_location at) {
  const auto in = model_scope(o.scope, "Conv", o.reuse, kWeightNames, at);
  const int rank = inputs.shape().rank();
  require(!o.conv_dims || *o.conv_dims + 2 == rank, "Convolution expects input with rank ",
          o.conv_dims.value_or(0) + 2, ", got ", rank);
  require(rank >= 3 && rank <= 5, "Convolution not supported for input with rank ", rank);
  if (rank == 3)
    return convolve<rill::layers::Conv1D>(inputs, num_outputs, kernel_size, o, *in, at);
  if (rank == 4)
    return convolve<rill::layers::Conv2D>(inputs, num_outputs, kernel_size, o, *in, at);
  return convolve<rill::layers::Conv3D>(inputs, num_outputs, kernel_size, o, *in, at);
}

Output conv1d(Output inputs, std::int64_t num_outputs, const nn::Sizes& kernel_size,
              ConvolutionOptions options, std::source_location at) {
  options.conv_dims = 1;
  return convolution(inputs, num_outputs, kernel_size, options, at);
}
Output conv2d(Output inputs, std::int64_t num_outputs, const nn::Sizes& kernel_size,
              ConvolutionOptions options, std::source_location at) {
  options.conv_dims = 2;
  return convolution(inputs, num_outputs, kernel_size, options, at);
}
Output conv3d(Output inputs, std::int64_t num_outputs, const nn::Sizes& kernel_size,
              ConvolutionOptions options, std::source_location at) {
  options.conv_dims = 3;
  return convolution(inputs, num_outputs, kernel_size, options, at);
}

Output conv2d_transpose(Output inputs, std::int64_t num_outputs, const nn::Sizes& kernel_size,
                        const ConvolutionOptions& o, std::source_location at) {
  const auto in = model_scope(o.scope, "Conv2d_transpose", o.reuse, kWeightNames, at);
  return convolve<rill::layers::Conv2DTranspose>(inputs, num_outputs, kernel_size, o, *in, at);
}
Output conv3d_transpose(Output inputs, std::int64_t num_outputs, const nn::Sizes& kernel_size,
                        const ConvolutionOptions& o, std::source_location at) {
  const auto in = model_scope(o.scope, "Conv3d_transpose", o.reuse, kWeightNames, at);
  return convolve<rill::layers::Conv3DTranspose>(inputs, num_outputs, kernel_size, o, *in, at);
}

// --- separable convolutions ----------------------------------------------------------------------

namespace {

Output mix(Output inputs, std::int64_t num_outputs, const nn::Sizes& kernel_size,
           const SeparableConvolutionOptions& o, const VariableScopeBlock& in,
           std::source_location at) {
  rill::layers::SeparableConv2D layer(
      num_outputs, kernel_size,
      {.strides = o.stride,
       .padding = o.padding,
       .data_format = format_of(o.data_format),
       .dilation_rate = o.rate,
       .depth_multiplier = o.depth_multiplier,
       .use_bias = !o.normalizer_fn && o.biases_initializer,
       .depthwise_initializer = o.weights_initializer,
       .pointwise_initializer =
           o.pointwise_initializer ? o.pointwise_initializer : o.weights_initializer,
       .bias_initializer = o.biases_initializer,
       .depthwise_regularizer = o.weights_regularizer,
       .pointwise_regularizer = o.weights_regularizer,
       .bias_regularizer = o.biases_regularizer,
       .trainable = o.trainable,
       .name = in.scope()->name,
       .reuse = o.reuse},
      {.scope = in.scope()});
  const Output outputs = layer(inputs, {}, at);
  collect(layer.depthwise_kernel, "weights", o.variables_collections);
  collect(layer.pointwise_kernel, "weights", o.variables_collections);
  collect(layer.bias, "biases", o.variables_collections);
  return outputs;
}

// Each channel by itself.
Output keep_apart(Output inputs, const nn::Sizes& kernel_size,
                  const SeparableConvolutionOptions& o) {
  const bool channels_first = nn::is_channels_first(o.data_format);
  const std::int64_t channels =
      rill::layers::known_channels(inputs.shape(), channels_first ? 1 : -1);
  const auto size = rill::layers::checked_sizes(kernel_size, 2, "kernel_size");
  const DType dtype = base_type(inputs.dtype());
  const Variable weights =
      model_variable("depthwise_weights", {size[0], size[1], channels, o.depth_multiplier}, dtype,
                     o.weights_initializer, o.weights_regularizer, o.trainable);
  collect(AnyVariable(weights), "weights", o.variables_collections);
  const auto step = rill::layers::checked_sizes(o.stride, 2, "stride");
  std::vector<std::int64_t> strides(channels_first ? 2 : 1, 1);
  strides.insert(strides.end(), step.begin(), step.end());
  if (!channels_first) strides.push_back(1);
  Output outputs = nn::depthwise_conv2d(
      inputs, weights, strides, o.padding,
      {.rate = rill::layers::checked_sizes(o.rate, 2, "rate"), .data_format = o.data_format});
  if (o.normalizer_fn || !o.biases_initializer) return outputs;
  const Variable biases = model_variable("biases", {channels * o.depth_multiplier}, dtype,
                                         o.biases_initializer, o.biases_regularizer, o.trainable);
  collect(AnyVariable(biases), "biases", o.variables_collections);
  return nn::bias_add(outputs, biases, {.data_format = o.data_format});
}

}  // namespace

Output separable_conv2d(Output inputs, std::optional<std::int64_t> num_outputs,
                        const nn::Sizes& kernel_size, const SeparableConvolutionOptions& o,
                        std::source_location at) {
  static const Renames names{{"bias", "biases"},
                             {"depthwise_kernel", "depthwise_weights"},
                             {"pointwise_kernel", "pointwise_weights"}};
  const auto in = model_scope(o.scope, "SeparableConv2d", o.reuse, names, at);
  const Output outputs = num_outputs ? mix(inputs, *num_outputs, kernel_size, o, *in, at)
                                     : keep_apart(inputs, kernel_size, o);
  return finished(outputs, o.normalizer_fn, o.activation_fn, o.outputs_collections, *in);
}

}  // namespace rill::contrib::layers
