#include "rill/api/array/shapes.h"
#include "rill/api/layers/convolution_layers.h"
#include "rill/api/nn/activations.h"
#include "rill/api/nn/convolution.h"

namespace rill::layers {
namespace {

ConvOptions common(const SeparableConvOptions& o) {
  return {.strides = o.strides,
          .padding = o.padding,
          .data_format = o.data_format,
          .dilation_rate = o.dilation_rate,
          .activation = o.activation,
          .use_bias = o.use_bias,
          .bias_initializer = o.bias_initializer,
          .bias_regularizer = o.bias_regularizer,
          .activity_regularizer = o.activity_regularizer,
          .bias_constraint = o.bias_constraint,
          .trainable = o.trainable,
          .dtype = o.dtype,
          .name = o.name,
          .reuse = o.reuse};
}

}  // namespace

SeparableConv::SeparableConv(int rank, std::int64_t filter_count, const nn::Sizes& sizes,
                             const SeparableConvOptions& o, LayerUse use, std::string class_name)
    : Conv(rank, filter_count, sizes, common(o), use, std::move(class_name)),
      depth_multiplier(o.depth_multiplier),
      depthwise{o.depthwise_initializer, o.depthwise_regularizer, o.depthwise_constraint},
      pointwise{o.pointwise_initializer, o.pointwise_regularizer, o.pointwise_constraint} {}

void SeparableConv::build(const PartialShape& input) {
  const std::int64_t channels = known_channels(input, channel_axis());
  input_spec = {{.ndim = rank + 2, .axes = {{channel_axis(), channels}}}};
  std::vector<std::int64_t> deep = kernel_size;
  deep.insert(deep.end(), {channels, depth_multiplier});
  std::vector<std::int64_t> mixing(static_cast<std::size_t>(rank), 1);
  mixing.insert(mixing.end(), {depth_multiplier * channels, filters});
  depthwise_kernel = add_weight("depthwise_kernel", PartialShape(deep), depthwise.options(dtype()));
  pointwise_kernel =
      add_weight("pointwise_kernel", PartialShape(mixing), pointwise.options(dtype()));
  add_bias();
  built = true;
}

// Sequences are images of height 1.
Output SeparableConv::call_flat(Output x) {
  const int height = channels_first() ? 2 : 1;
  x = expand_dims(causally_padded(x), height);
  const Output deep = expand_dims(depthwise_kernel, 0), mixing = expand_dims(pointwise_kernel, 0);
  Output y = nn::separable_conv2d(
      x, deep, mixing, of_all_dimensions({strides[0], strides[0]}), op_padding(),
      {.rate = {1, dilation_rate[0]}, .data_format = op_data_format(channels_first(), 2)});
  if (bias) y = nn::bias_add(y, bias, {.data_format = op_data_format(channels_first(), 2)});
  return options.activation(squeeze(y, {.axis = {height}}));
}

Output SeparableConv::call(Output x, const CallArguments&) {
  if (rank == 1) return call_flat(x);
  const std::string format = op_data_format(channels_first(), rank);
  Output y = nn::separable_conv2d(x, depthwise_kernel, pointwise_kernel, of_all_dimensions(strides),
                                  op_padding(), {.rate = dilation_rate, .data_format = format});
  if (bias) y = nn::bias_add(y, bias, {.data_format = format});
  return options.activation(y);
}

Output separable_conv1d(Output inputs, std::int64_t filters, const nn::Sizes& kernel_size,
                        const SeparableConvOptions& options, std::source_location at) {
  return SeparableConv1D(filters, kernel_size, options, {.one_call = true})(inputs, {}, at);
}
Output separable_conv2d(Output inputs, std::int64_t filters, const nn::Sizes& kernel_size,
                        const SeparableConvOptions& options, std::source_location at) {
  return SeparableConv2D(filters, kernel_size, options, {.one_call = true})(inputs, {}, at);
}

}  // namespace rill::layers
