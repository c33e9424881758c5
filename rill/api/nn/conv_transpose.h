#pragma once

#include "rill/api/core/shape_input.h"
#include "rill/api/nn/convolution.h"

namespace rill::nn {

// The transposes of convolutions: the gradients of these by their inputs. `output_shape` is the
// shape of the result.

// Filters are [size..., out, in], the other way round than convolutions have them. `output_shape`
// cannot be derived: with a stride, inputs of several sizes give an output of one size.
struct ConvTransposeOptions {
  Padding padding = "SAME";
  std::string data_format{};  // channels last
  Sizes dilations{};
  std::string name{};
};
Output conv1d_transpose(const Input& input, const Input& filters, const ShapeInput& output_shape,
                        const Sizes& strides, const ConvTransposeOptions& options = {},
                        std::source_location at = std::source_location::current());
Output conv2d_transpose(const Input& value, const Input& filter, const ShapeInput& output_shape,
                        const Sizes& strides, const ConvTransposeOptions& options = {},
                        std::source_location at = std::source_location::current());
Output conv3d_transpose(const Input& value, const Input& filter, const ShapeInput& output_shape,
                        const Sizes& strides, const ConvTransposeOptions& options = {},
                        std::source_location at = std::source_location::current());
// Whichever of these the length of `output_shape` asks for.
Output conv_transpose(const Input& input, const Input& filters, const ShapeInput& output_shape,
                      const Sizes& strides, const ConvTransposeOptions& options = {},
                      std::source_location at = std::source_location::current());

// The transpose of atrous_conv2d.
Output atrous_conv2d_transpose(const Input& value, const Input& filters,
                               const ShapeInput& output_shape, std::int64_t rate,
                               const Padding& padding, const NameOptions& options = {},
                               std::source_location at = std::source_location::current());

}  // namespace rill::nn
