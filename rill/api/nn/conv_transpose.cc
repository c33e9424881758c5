#include "rill/api/nn/conv_transpose.h"

#include <array>

#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/nn.h"
#include "rill/api/math/math_parts.h"

namespace rill::nn {
namespace {

// shape[:at] + [1] + shape[at:]
Output with_height(const Input& shape, int at) {
  if (shape.is_value()) {
    const auto dims = math_parts::known_integers(shape, "output_shape");
    require(dims.size() >= static_cast<std::size_t>(at), "`output_shape` has only ", dims.size(),
            " elements");
    return concat({parts::ints({dims.begin(), dims.begin() + at}), parts::ints({1}),
                   parts::ints({dims.begin() + at, dims.end()})},
                  0);
  }
  const Output dims = as_tensor(shape);
  const Output before = parts::range_of(dims, {}, at), after = parts::range_of(dims, at, {});
  return concat({before, parts::ints({1}), after}, 0);
}

}  // namespace

Output conv1d_transpose(const Input& input, const Input& filters, const ShapeInput& output_shape,
                        const Sizes& strides, const ConvTransposeOptions& options,
                        std::source_location at) {
  const Block in(options.name, "conv1d_transpose", at);
  const bool first = options.data_format == "NCW";
  require(first || options.data_format.empty() || options.data_format == "NWC",
          "`data_format` must be 'NWC' or 'NCW'. Received: data_format=", options.data_format);
  const int height = first ? 2 : 1;
  const auto sizes = [&](const Sizes& given, const char* what) {
    auto all = given.of_input(1, first, what);
    all.insert(all.begin(), 1);
    return all;
  };
  const auto steps = sizes(strides, "stride"), dilations = sizes(options.dilations, "dilations");
  const Output rows = expand_dims(input, height), filter = expand_dims(filters, 0);
  const Output shape = with_height(output_shape, height);
  const Output result = raw::Conv2DBackpropInput(
      shape, filter, rows, steps, options.padding.kind(),
      {.data_format = first ? "NCHW" : "NHWC", .dilations = dilations, .name = in.own_name()});
  return squeeze(result, {.axis = {height}});
}

Output conv2d_transpose(const Input& value, const Input& filter, const ShapeInput& output_shape,
                        const Sizes& strides, const ConvTransposeOptions& options,
                        std::source_location at) {
  const Block in(options.name, "conv2d_transpose", at);
  const std::string format = format_or(options.data_format, "NHWC");
  const bool first = is_channels_first(format);
  return raw::Conv2DBackpropInput(output_shape, filter, value,
                                  strides.of_input(2, first, "strides"), options.padding.kind(),
                                  {.explicit_paddings = options.padding.around(4),
                                   .data_format = format,
                                   .dilations = options.dilations.of_input(2, first, "dilations"),
                                   .name = in.own_name()});
}

Output conv3d_transpose(const Input& value, const Input& filter, const ShapeInput& output_shape,
                        const Sizes& strides, const ConvTransposeOptions& options,
                        std::source_location at) {
  const Block in(options.name, "conv3d_transpose", at);
  const std::string format = format_or(options.data_format, "NDHWC");
  const bool first = is_channels_first(format);
  return raw::Conv3DBackpropInputV2(output_shape, filter, value,
                                    strides.of_input(3, first, "strides"), options.padding.kind(),
                                    {.data_format = format,
                                     .dilations = options.dilations.of_input(3, first, "dilations"),
                                     .name = in.own_name()});
}

Output conv_transpose(const Input& input, const Input& filters, const ShapeInput& output_shape,
                      const Sizes& strides, const ConvTransposeOptions& options,
                      std::source_location at) {
  const Block in(options.name, "conv_transpose", at);
  std::int64_t count = 0;
  if (output_shape.is_value())
    count =
        static_cast<std::int64_t>(math_parts::known_integers(output_shape, "output_shape").size());
  else if (output_shape.is_output() && output_shape.output().shape().rank() == 1)
    count = output_shape.output().shape()[0];
  require(count >= 3 && count <= 5, "`output_shape` must be of length 3, 4 or 5. Received length ",
          count, ".");
  ConvTransposeOptions inner = options;
  inner.name = in.own_name();
  constexpr auto kOps = std::array{conv1d_transpose, conv2d_transpose, conv3d_transpose};
  return kOps[static_cast<std::size_t>(count - 3)](input, filters, output_shape, strides, inner,
                                                   at);
}

}  // namespace rill::nn
