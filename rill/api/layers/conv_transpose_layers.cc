#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/slicing.h"
#include "rill/api/layers/convolution_layers.h"
#include "rill/api/math/math.h"
#include "rill/api/nn/activations.h"
#include "rill/api/nn/conv_transpose.h"

namespace rill::layers {

void ConvTranspose::build(const PartialShape& input) {
  require(input.rank() == rank + 2, "Inputs should have rank ", rank + 2,
          ". Received input_shape=", input, ".");
  const std::int64_t channels = known_channels(input, channel_axis());
  input_spec = {{.ndim = rank + 2, .axes = {{channel_axis(), channels}}}};
  std::vector<std::int64_t> sizes = kernel_size;
  sizes.insert(sizes.end(), {filters, channels});
  const WeightSettings settings{options.kernel_initializer, options.kernel_regularizer,
                                options.kernel_constraint};
  kernel = add_weight("kernel", PartialShape(sizes), settings.options(dtype()));
  add_bias();
  built = true;
}

// What is added to length * stride.
std::int64_t ConvTranspose::added_length(std::size_t d) const {
  const std::int64_t size = kernel_size[d] + (kernel_size[d] - 1) * (dilation_rate[d] - 1);
  if (output_padding.empty())
    return options.padding == "valid" ? std::max(size - strides[d], std::int64_t{0}) : 0;
  const std::int64_t around = options.padding == "same" ? size / 2 : 0;
  return size - 2 * around + output_padding[d] - strides[d];
}

std::int64_t ConvTranspose::output_length(std::int64_t length, std::size_t d) const {
  return length < 0 ? -1 : length * strides[d] + added_length(d);
}

Output ConvTranspose::output_length(Output length, std::size_t d) const {
  const int stride = static_cast<int>(strides[d]), added = static_cast<int>(added_length(d));
  if (!output_padding.empty()) return (length - 1) * stride + (added + stride);
  const Output whole = length * stride;
  return options.padding == "valid" ? whole + added : whole;
}

Output ConvTranspose::output_shape(Output x) const {
  const Output sizes = shape(x);
  const auto size = [&](int axis) { return slice(sizes, {Input(axis)}); };
  const Output batch = size(0);
  const int first = channels_first() ? 2 : 1;
  // Images take what is known of their size; volumes do not ask.
  std::vector<std::int64_t> known;
  std::vector<Output> asked;
  for (int i = 0; i < rank; ++i) {
    const bool is_known = rank == 2 && x.shape().has_rank() && x.shape()[first + i] >= 0;
    known.push_back(is_known ? x.shape()[first + i] : -1);
    asked.push_back(is_known ? Output() : size(first + i));
  }
  std::vector<Input> all{batch};
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (known[i] >= 0)
      all.emplace_back(static_cast<int>(output_length(known[i], i)));
    else
      all.emplace_back(output_length(asked[i], i));
  }
  all.insert(channels_first() ? all.begin() + 1 : all.end(), Input(static_cast<int>(filters)));
  return stack(all);
}

// As TensorFlow's on CPUs: images have their channels last there.
Output ConvTranspose::transposed(Output x) const {
  Output sizes = output_shape(x);
  const auto size = [&](int axis) { return slice(sizes, {Input(axis)}); };
  if (rank == 3)
    return nn::conv3d_transpose(
        x, kernel, Input(sizes), of_all_dimensions(strides),
        {.padding = op_padding(), .data_format = op_data_format(channels_first(), rank)});
  const bool turned = channels_first();
  if (turned) {
    x = channels_to_last(x);
    std::vector<Input> in_order;
    for (const int axis : {0, 2, 3, 1}) in_order.emplace_back(size(axis));
    sizes = stack(in_order);
  } else {
    size(0);  // TensorFlow's node that nothing uses
  }
  const std::vector<std::int64_t> steps{1, strides[0], strides[1], 1};
  const Output y = nn::conv2d_transpose(x, kernel, Input(sizes), steps,
                                        {.padding = op_padding(), .data_format = "NHWC"});
  return turned ? channels_to_first(y) : y;
}

Output ConvTranspose::call(Output x, const CallArguments&) {
  Output y = transposed(x);
  if (x.shape().has_rank()) y.node->graph().refine_shape(y, compute_output_shape(x.shape()));
  if (bias) y = nn::bias_add(y, bias, {.data_format = channels_first() ? "NCHW" : "NHWC"});
  return options.activation(y);
}

PartialShape ConvTranspose::compute_output_shape(const PartialShape& input) const {
  if (!input.has_rank()) return {};
  PartialShape result = input;
  const int first = channels_first() ? 2 : 1;
  for (int i = 0; i < rank; ++i)
    result =
        result.with_dim(first + i, output_length(input[first + i], static_cast<std::size_t>(i)));
  return result.with_dim(channels_first() ? 1 : rank + 1, filters);
}

Output conv2d_transpose(Output inputs, std::int64_t filters, const nn::Sizes& kernel_size,
                        const ConvOptions& options, std::source_location at) {
  return Conv2DTranspose(filters, kernel_size, options, {.one_call = true})(inputs, {}, at);
}
Output conv3d_transpose(Output inputs, std::int64_t filters, const nn::Sizes& kernel_size,
                        const ConvOptions& options, std::source_location at) {
  return Conv3DTranspose(filters, kernel_size, options, {.one_call = true})(inputs, {}, at);
}

}  // namespace rill::layers
