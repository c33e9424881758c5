#include <algorithm>

#include "rill/api/array/array_parts.h"
#include "rill/api/array/shapes.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/keras/backend_parts.h"
#include "rill/api/keras/plain_layers.h"
#include "rill/api/layers/layer_parts.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/reduce.h"
#include "rill/base/error.h"

namespace rill::keras::layers {
namespace {

// The shape after a change of each size in space.
template <class Change>
PartialShape changed(const PartialShape& input, bool channels_first, std::size_t space,
                     Change change) {
  std::vector<std::int64_t> sizes(input.dims().begin(), input.dims().end());
  for (std::size_t i = 0; i < space; ++i) {
    std::int64_t& size = sizes.at((channels_first ? 2 : 1) + i);
    if (size >= 0) size = change(size, i);
  }
  return PartialShape(std::span<const std::int64_t>(sizes));
}

Input axes_in_space(Output x, bool channels_first) {
  std::vector<std::int64_t> axes;
  const int rank = x.shape().rank();
  for (int i = channels_first ? 2 : 1; i < (channels_first ? rank : rank - 1); ++i)
    axes.push_back(i);
  return rill::parts::ints(axes);
}

PartialShape of_channels(const PartialShape& input, bool channels_first) {
  require(input.rank() >= 2, "expected examples with channels, got shape ", input);
  return {input.dim(0), channels_first ? input.dim(1) : input.dim(input.rank() - 1)};
}

}  // namespace

PartialShape ZeroPadding::compute_output_shape(const PartialShape& input) const {
  return changed(input, channels_first(), s.margins.size(), [&](std::int64_t size, std::size_t i) {
    return parts::sum(size, parts::sum(s.margins[i].first, s.margins[i].second));
  });
}
PartialShape Cropping::compute_output_shape(const PartialShape& input) const {
  return changed(input, channels_first(), s.margins.size(), [&](std::int64_t size, std::size_t i) {
    return size - s.margins[i].first - s.margins[i].second;
  });
}
PartialShape UpSampling::compute_output_shape(const PartialShape& input) const {
  return changed(input, channels_first(), s.size.size(),
                 [&](std::int64_t size, std::size_t i) { return parts::product(size, s.size[i]); });
}

GlobalAveragePooling::GlobalAveragePooling(std::string class_name, LayerOptions options)
    : KerasLayer(std::move(class_name), std::move(options)) {
  supports_masking = true;
}

Output GlobalAveragePooling::call(Output x, const CallArguments& arguments) {
  const bool first = channels_first();
  if (arguments.masks.empty() || !arguments.masks[0].node || x.shape().rank() != 3)
    return reduce_mean(x, {.axis = axes_in_space(x, first)});
  const Output kept =
      expand_dims(rill::cast(arguments.masks[0], base_type(x.dtype())), first ? 1 : 2);
  const int steps = first ? 2 : 1;
  return reduce_sum(x * kept, {.axis = Input(steps)}) / reduce_sum(kept, {.axis = Input(steps)});
}
PartialShape GlobalAveragePooling::compute_output_shape(const PartialShape& input) const {
  return of_channels(input, channels_first());
}
Output GlobalMaxPooling::call(Output x, const CallArguments&) {
  return reduce_max(x, {.axis = axes_in_space(x, channels_first())});
}
PartialShape GlobalMaxPooling::compute_output_shape(const PartialShape& input) const {
  return of_channels(input, channels_first());
}

void DepthwiseConv2DLayer::build(const PartialShape& input) {
  need_rank(input, 4);
  const std::int64_t channels = input.dim(channels_first() ? 1 : 3);
  require(channels >= 0,
          "The channel dimension of the inputs to `DepthwiseConv2D` should be defined. "
          "Found `None`.");
  depthwise_kernel =
      add("depthwise_kernel",
          {s.kernel_size.at(0), s.kernel_size.at(1), channels, s.depth_multiplier}, s.depthwise);
  if (s.use_bias) bias = add("bias", {channels * s.depth_multiplier}, s.bias, zeros_initializer());
}

PartialShape DepthwiseConv2DLayer::compute_output_shape(const PartialShape& input) const {
  need_rank(input, 4);
  const auto in_space = [&](std::int64_t size, std::size_t i) {
    return rill::layers::window_output_length(size, s.kernel_size.at(i), s.padding,
                                              s.strides.empty() ? 1 : s.strides.at(i),
                                              s.dilation_rate.empty() ? 1 : s.dilation_rate.at(i));
  };
  const PartialShape result = changed(input, channels_first(), 2, in_space);
  const int at = channels_first() ? 1 : 3;
  if (input[at] == kUnknownDim) return result;
  return result.with_dim(at, parts::product(input[at], s.depth_multiplier));
}

Output DepthwiseConv2DLayer::call(Output x, const CallArguments&) {
  Output y = backend::depthwise_conv2d(x, depthwise_kernel,
                                       {.strides = s.strides,
                                        .padding = s.padding,
                                        .data_format = s.data_format,
                                        .dilation = s.dilation_rate});
  if (bias) y = backend::bias_add(y, bias, s.data_format);
  return s.activation ? (*s.activation)(y) : y;
}

}  // namespace rill::keras::layers
