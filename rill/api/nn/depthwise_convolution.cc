// Convolutions of each channel by itself.
#include "rill/api/array/array_parts.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/texts.h"
#include "rill/api/gen/nn.h"
#include "rill/api/nn/convolution.h"
#include "rill/api/nn/space_to_batch.h"

namespace rill::nn {
namespace {

Output depthwise(Output x, Output filter, const Sizes& strides, const Padding& padding,
                 const DepthwiseOptions& options, const std::string& name) {
  const auto rate = options.rate.empty() ? std::vector<std::int64_t>{1, 1} : options.rate.values();
  const auto op = [&](Output from, int, const Padding& how) {
    return raw::DepthwiseConv2dNative(
        from, filter, strides.of_input(2, is_channels_first(options.data_format), "strides"),
        how.kind(), {.data_format = format_or(options.data_format, "NHWC"), .name = name});
  };
  return with_space_to_batch(x, parts::ints(rate), padding, op,
                             {.filter_shape = shape(filter), .data_format = options.data_format});
}

}  // namespace

Output depthwise_conv2d(const Input& input, const Input& filter, const Sizes& strides,
                        const Padding& padding, const DepthwiseOptions& options,
                        std::source_location at) {
  const Block in(options.name, "depthwise", at);
  const Output x = as_tensor(input, "tensor_in"), filters = as_tensor(filter, "filter_in");
  return depthwise(x, filters, strides, padding, options, in.own_name());
}

Output separable_conv2d(const Input& input, const Input& depthwise_filter,
                        const Input& pointwise_filter, const Sizes& strides, const Padding& padding,
                        const DepthwiseOptions& options, std::source_location at) {
  const Block in(options.name, "separable_conv2d", at);
  const Output x = as_tensor(input, "tensor_in");
  const Output by_channel = as_tensor(depthwise_filter, "depthwise_filter");
  const Output mixing = as_tensor(pointwise_filter, "pointwise_filter");
  const PartialShape shape = mixing.shape();
  require(!shape.has_rank() || shape.rank() == 4, "Shape ", shape_text(shape), " must have rank 4");
  if (shape.has_rank())
    require((shape[0] < 0 || shape[0] == 1) && (shape[1] < 0 || shape[1] == 1),
            "Shape of the pointwise filter must begin with (1, 1), got ", shape_text(shape));
  const Output separate = depthwise(x, by_channel, strides, padding, options, "depthwise");
  return raw::Conv2D(
      separate, mixing, {1, 1, 1, 1}, "VALID",
      {.data_format = format_or(options.data_format, "NHWC"), .name = in.own_name()});
}

}  // namespace rill::nn
