#pragma once

#include <source_location>
#include <string>

#include "rill/api/nn/window_sizes.h"

namespace rill::nn {

// Convolutions. A filter is [size..., in, out]; images are [batch, size..., channels], or with a
// data format such as "NCHW" [batch, channels, size...]. All throw InvalidArgument where sizes do
// not fit.

// padding "SAME" gives ceil(in / stride) elements and pads with zeros, at the end first; "VALID"
// ceil((in - (filter - 1) * dilation) / stride), without padding. A filter is not flipped: what is
// computed is a cross-correlation.
//
//   nn::conv2d(images, filter, {1, 2, 2, 1}, "SAME");
//   nn::convolution(images, filter, "VALID", {.dilation_rate = 2});
struct ConvolutionOptions {
  Sizes strides{};
  Sizes dilation_rate{};  // how far apart the elements of a window lie
  std::string data_format{};
  std::string name{};
};
// Over one, two or three dimensions of space, as many as the filter has; there may be several of
// batch. Strides and dilations exclude each other, and the input's channels must be a multiple of
// the filter's.
Output convolution(const Filter& input, const Filter& filter, const Padding& padding,
                   const ConvolutionOptions& options = {},
                   std::source_location at = std::source_location::current());

struct Conv1dOptions {
  bool use_cudnn_on_gpu = true;
  std::string data_format{};  // "NWC" or "NCW"
  Sizes dilations{};
  std::string name{};
};
// [batch, width, channels]. It becomes a conv2d over pictures of height 1.
Output conv1d(const Input& value, const Input& filters, const Sizes& stride, const Padding& padding,
              const Conv1dOptions& options = {},
              std::source_location at = std::source_location::current());

struct Conv2dOptions {
  bool use_cudnn_on_gpu = true;
  std::string data_format = "NHWC";
  Sizes dilations{};
  std::string name{};
};
// [batch, height, width, channels], or "NCHW". use_cudnn_on_gpu is only written into the node.
Output conv2d(const Input& input, const Input& filter, const Sizes& strides, const Padding& padding,
              const Conv2dOptions& options = {},
              std::source_location at = std::source_location::current());
// The gradients of conv2d by its filter and by its input, whose shapes are the first two
// arguments'.
Output conv2d_backprop_filter(const Input& input, const Input& filter_sizes,
                              const Input& out_backprop, const Sizes& strides,
                              const Padding& padding, const Conv2dOptions& options = {},
                              std::source_location at = std::source_location::current());
Output conv2d_backprop_input(const Input& input_sizes, const Input& filter,
                             const Input& out_backprop, const Sizes& strides,
                             const Padding& padding, const Conv2dOptions& options = {},
                             std::source_location at = std::source_location::current());

struct Conv3dOptions {
  std::string data_format = "NDHWC";
  Sizes dilations{};
  std::string name{};
};
// [batch, depth, height, width, channels], or "NCDHW".
Output conv3d(const Input& input, const Input& filter, const Sizes& strides, const Padding& padding,
              const Conv3dOptions& options = {},
              std::source_location at = std::source_location::current());

struct NameOptions {
  std::string name{};
};
// conv2d with windows whose elements lie `rate` apart: a larger view with no more weights.
Output atrous_conv2d(const Filter& value, const Filter& filters, std::int64_t rate,
                     const Padding& padding, const NameOptions& options = {},
                     std::source_location at = std::source_location::current());

struct DepthwiseOptions {
  Sizes rate{};
  std::string data_format{};
  std::string name{};
};
// Each channel by itself with a filter [height, width, in, multiplier]; the result has in *
// multiplier channels, those of one input channel side by side.
Output depthwise_conv2d(const Input& input, const Input& filter, const Sizes& strides,
                        const Padding& padding, const DepthwiseOptions& options = {},
                        std::source_location at = std::source_location::current());
// That followed by a mixing of channels with a filter [1, 1, in * multiplier, out]: many fewer
// weights than a full convolution has.
Output separable_conv2d(const Input& input, const Input& depthwise_filter,
                        const Input& pointwise_filter, const Sizes& strides, const Padding& padding,
                        const DepthwiseOptions& options = {},
                        std::source_location at = std::source_location::current());

}  // namespace rill::nn
