#include "rill/api/layers/convolution_layers.h"

#include <algorithm>

#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/gen/plain_array.h"
#include "rill/api/math/math.h"
#include "rill/api/nn/activations.h"
#include "rill/api/nn/convolution.h"

namespace rill::layers {

Conv::Conv(int rank, std::string class_name, LayerOptions base)
    : Layer(std::move(class_name), std::move(base)), rank(rank) {
  input_spec = {{.ndim = rank + 2}};
}

Conv::Conv(int rank, std::int64_t filter_count, const nn::Sizes& sizes, const ConvOptions& given,
           LayerUse use, std::string class_name)
    : Conv(rank, std::move(class_name), base_options(given, use)) {
  filters = filter_count;
  const auto count = static_cast<std::size_t>(rank);
  kernel_size = checked_sizes(sizes, count, "kernel_size");
  strides = checked_sizes(given.strides, count, "strides", 0);
  dilation_rate = checked_sizes(given.dilation_rate, count, "dilation_rate");
  options = given;
  options.padding = checked_padding(given.padding);
  options.data_format = checked_data_format(given.data_format);
  check_settings();
}

void Conv::check_settings() const {
  require(filters > 0,
          "Invalid value for argument `filters`. Expected a strictly positive value. "
          "Received filters=",
          filters, ".");
  require(std::ranges::none_of(strides, [](std::int64_t s) { return s == 0; }),
          "The argument `strides` cannot contains 0(s).");
  require(options.padding != "causal" || rank == 1,
          "Causal padding is only supported for `Conv1D`and `SeparableConv1D`.");
  require(std::ranges::max(strides) == 1 || std::ranges::max(dilation_rate) == 1,
          "`strides > 1` not supported in conjunction with `dilation_rate > 1`.");
}

void Conv::add_bias() {
  const WeightSettings settings{
      options.bias_initializer ? options.bias_initializer : zeros_initializer(),
      options.bias_regularizer, options.bias_constraint};
  bias = options.use_bias ? add_weight("bias", {filters}, settings.options(dtype())) : Weight();
}

void Conv::build(const PartialShape& input) {
  const std::int64_t channels = known_channels(input, channel_axis());
  compute_output_shape(input);
  std::vector<std::int64_t> sizes = kernel_size;
  sizes.insert(sizes.end(), {channels, filters});
  const WeightSettings settings{options.kernel_initializer, options.kernel_regularizer,
                                options.kernel_constraint};
  kernel = add_weight("kernel", PartialShape(sizes), settings.options(dtype()));
  add_bias();
  input_spec = {{.ndim = rank + 2, .axes = {{channel_axis(), channels}}}};
  built = true;
}

std::string Conv::op_padding() const {
  return options.padding == "causal" ? "VALID" : upper_case(options.padding);
}

std::vector<std::int64_t> Conv::of_all_dimensions(const std::vector<std::int64_t>& sizes) const {
  std::vector<std::int64_t> all(channels_first() ? 2 : 1, 1);
  all.insert(all.end(), sizes.begin(), sizes.end());
  if (!channels_first()) all.push_back(1);
  return all;
}

Output Conv::causally_padded(Output x) const {
  if (options.padding != "causal") return x;
  const int dims = x.shape().has_rank() ? x.shape().rank() : 3;
  Tensor around = Tensor::zeros(DType::i32, {dims, 2});
  const int space = channels_first() ? dims - 1 : dims - 2;
  around.data<std::int32_t>()[2 * space] =
      static_cast<std::int32_t>(dilation_rate[0] * (kernel_size[0] - 1));
  return pad(x, Input(around));
}

Output Conv::with_bias(Output y) const {
  if (!bias) return y;
  if (rank == 1 && channels_first()) return y + reshape(bias, axes_input({1, filters, 1}));
  return nn::bias_add(y, bias, {.data_format = op_data_format(channels_first(), rank)});
}

Output Conv::call(Output x, const CallArguments&) {
  const PartialShape before = x.shape();
  Output y = nn::convolution(causally_padded(x), filter_of(kernel), op_padding(),
                             {.strides = strides,
                              .dilation_rate = dilation_rate,
                              .data_format = op_data_format(channels_first(), rank),
                              .name = class_name()});
  y = with_bias(y);
  if (before.has_rank()) y.node->graph().refine_shape(y, compute_output_shape(before));
  return options.activation(y);
}

PartialShape Conv::compute_output_shape(const PartialShape& input) const {
  if (!input.has_rank()) return {};
  PartialShape result = input;
  const int channels = canonical_axis(channel_axis(), input.rank());
  int dimension = 0;
  for (int i = input.rank() - rank - 1; i < input.rank(); ++i) {
    if (i == channels) continue;
    const auto d = static_cast<std::size_t>(dimension++);
    const std::int64_t size = window_output_length(input[i], kernel_size[d], options.padding,
                                                   strides[d], dilation_rate[d]);
    require(size >= -1 && (size >= 0 || input[i] < 0),
            "One of the dimensions in the output is <= 0 due to downsampling in ", name(),
            ". Consider increasing the input size. Received input shape ", input,
            " which would produce output shape with a zero or negative value in a dimension.");
    result = result.with_dim(i, size);
  }
  return result.with_dim(channels, filters);
}

Output conv1d(Output inputs, std::int64_t filters, const nn::Sizes& kernel_size,
              const ConvOptions& options, std::source_location at) {
  return Conv1D(filters, kernel_size, options, {.one_call = true})(inputs, {}, at);
}
Output conv2d(Output inputs, std::int64_t filters, const nn::Sizes& kernel_size,
              const ConvOptions& options, std::source_location at) {
  return Conv2D(filters, kernel_size, options, {.one_call = true})(inputs, {}, at);
}
Output conv3d(Output inputs, std::int64_t filters, const nn::Sizes& kernel_size,
              const ConvOptions& options, std::source_location at) {
  return Conv3D(filters, kernel_size, options, {.one_call = true})(inputs, {}, at);
}

}  // namespace rill::layers
