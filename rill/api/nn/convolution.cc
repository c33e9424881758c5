#include "rill/api/nn/convolution.h"

#include <algorithm>

#include "rill/api/array/array_parts.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/texts.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/nn.h"
#include "rill/api/nn/space_to_batch.h"
#include "rill/graph/whole_number.h"

namespace rill::nn {
namespace {

// conv2d for inputs with any number of dimensions of batch.
Output conv2d_node(const Input& input, const Input& filter,
                   const std::vector<std::int64_t>& strides, const Padding& padding,
                   const raw::Conv2DOptions& options, const PartialShape& shape) {
  if (shape.rank() < 5) return raw::Conv2D(input, filter, strides, padding.kind(), options);
  raw::Conv2DOptions unnamed = options;
  unnamed.name.clear();
  return squeeze_batch_dims(
      input, [&](Output x) { return raw::Conv2D(x, filter, strides, padding.kind(), unnamed); }, 3,
      options.name);
}

Output conv3d_node(const Input& input, const Input& filter,
                   const std::vector<std::int64_t>& strides, const Padding& padding,
                   const raw::Conv3DOptions& options, const PartialShape& shape) {
  if (shape.rank() < 6) return raw::Conv3D(input, filter, strides, padding.kind(), options);
  raw::Conv3DOptions unnamed = options;
  unnamed.name.clear();
  return squeeze_batch_dims(
      input, [&](Output x) { return raw::Conv3D(x, filter, strides, padding.kind(), unnamed); }, 4,
      options.name);
}

PartialShape shape_of(const Input& input) { return Filter(input).shape(); }

// What is no tensor yet becomes one, in a scope of its own as TensorFlow's function does it.
Filter converted_filter(const Filter& value, const char* name) {
  if (!value.is_value()) return value;
  const NameScope in("convolution_internal");
  return as_tensor(value, name);
}

int spatial_count(const Filter& input, const Filter& filter) {
  const bool by_filter = filter.shape().rank() > 0;
  require(by_filter || input.shape().rank() > 0,
          "When `num_spatial_dims` is not set, one of `input.shape.rank` or `filters.shape.rank` "
          "must be known.");
  const int count = (by_filter ? filter.shape() : input.shape()).rank() - 2;
  require(count >= 1 && count <= 3,
          "`num_spatial_dims` must be 1, 2, or 3. Received: "
          "num_spatial_dims=",
          count, ".");
  return count;
}

// A convolution without dilation, under the name of the block around it.
Output plain_convolution(const Input& input, const Input& filter, int spatial, const Sizes& strides,
                         const Padding& padding, const std::string& data_format,
                         const std::string& name, const PartialShape& shape) {
  const bool first = is_channels_first(data_format);
  if (spatial == 1)
    return conv1d(input, filter, strides, padding, {.data_format = data_format, .name = name});
  const auto all = strides.of_input(spatial, first, "strides");
  if (spatial == 3)
    return conv3d_node(input, filter, all, padding,
                       {.data_format = format_or(data_format, "NDHWC"), .name = name}, shape);
  return conv2d_node(input, filter, all, padding,
                     {.explicit_paddings = padding.around(4),
                      .data_format = format_or(data_format, "NHWC"),
                      .name = name},
                     shape);
}

// Those of the dimensions of space alone.
std::vector<std::int64_t> inner(const std::vector<std::int64_t>& all, bool channels_first) {
  return channels_first ? std::vector(all.begin() + 2, all.end())
                        : std::vector(all.begin() + 1, all.end() - 1);
}

void check_dilated(const Filter& input, const Filter& filter, int spatial, int batch, bool first,
                   const std::vector<std::int64_t>& strides,
                   const std::vector<std::int64_t>& rates) {
  require(batch >= 1, "Batch dims should be >= 1, but found ", batch,
          ". Received: input.shape=", shape_text(input.shape()), " of rank ", input.shape().rank());
  Sizes(strides).of_space(spatial, "strides");
  Sizes(rates).of_space(spatial, "dilation_rate");
  require(std::ranges::all_of(strides, [](std::int64_t s) { return s == 1; }),
          "`strides > 1` not supported in conjunction with `dilation_rate > 1`.");
  const auto known = [](const PartialShape& shape, int i) {
    return shape.has_rank() && shape.rank() > i ? shape[i] : kUnknownDim;
  };
  const std::int64_t channels = known(input.shape(), first ? batch : batch + spatial);
  const std::int64_t wanted = known(filter.shape(), spatial);
  require(channels < 0 || wanted <= 0 || channels % wanted == 0,
          "number of input channels does not match corresponding dimension of filter, ", channels,
          " != ", wanted);
}

}  // namespace

Output convolution(const Filter& input, const Filter& filter, const Padding& padding,
                   const ConvolutionOptions& options, std::source_location at) {
  const MadeAt place(at);
  const Filter filters = converted_filter(filter, "filters"), x = converted_filter(input, "input");
  const int spatial = spatial_count(x, filters);
  const int batch = x.shape().rank() > 0 ? x.shape().rank() - spatial - 1 : 1;
  const bool first = is_channels_first(options.data_format);
  const auto rates = inner(options.dilation_rate.of_input(spatial, first, "dilations"), first);
  const bool dilated = std::ranges::any_of(rates, [](std::int64_t rate) { return rate != 1; });
  const Block in(options.name, "convolution", at);
  const auto plain = [&](const Input& from, const Padding& how, const Sizes& strides) {
    return plain_convolution(from, filters, spatial, strides, how, options.data_format,
                             in.own_name(), from.is_output() ? from.output().shape() : x.shape());
  };
  if (!dilated) return plain(x, padding, options.strides);
  const auto strides = inner(options.strides.of_input(spatial, first, "strides"), first);
  check_dilated(x, filters, spatial, batch, first, strides, rates);
  OptionalInput filter_shape;
  if (padding.kind() == "SAME" && filters.shape().is_full())
    filter_shape = ShapeInput(filters.shape().dims());
  else if (padding.kind() == "SAME")
    filter_shape = shape(filters);
  const auto op = [&](Output from, int, const Padding& how) { return plain(from, how, strides); };
  return with_space_to_batch(
      x, parts::ints(rates), padding, op,
      {.filter_shape = filter_shape, .data_format = options.data_format, .num_batch_dims = batch});
}

Output conv1d(const Input& value, const Input& filters, const Sizes& stride, const Padding& padding,
              const Conv1dOptions& options, std::source_location at) {
  const Block in(options.name, "conv1d", at);
  const std::string& format = options.data_format;
  const bool first = format == "NCW" || format == "NCHW";
  require(first || format.empty() || format == "NWC" || format == "NHWC",
          "`data_format` must be 'NWC' or 'NCW'. Received: data_format=", format);
  const auto with_height = [&](const Sizes& sizes, const char* what) {
    std::vector<std::int64_t> all = sizes.of_input(1, first, what);
    all.insert(all.begin(), 1);
    return all;
  };
  const auto strides = with_height(stride, "stride");
  const auto dilations = with_height(options.dilations, "dilations");
  const std::int64_t height = first ? -2 : -3;
  const Output rows = expand_dims(value, whole_number(height)), filter = expand_dims(filters, 0);
  const Output result = conv2d_node(rows, filter, strides, padding,
                                    {.use_cudnn_on_gpu = options.use_cudnn_on_gpu,
                                     .data_format = first ? "NCHW" : "NHWC",
                                     .dilations = dilations,
                                     .name = in.own_name()},
                                    rows.shape());
  return squeeze(result, {.axis = {height}});
}

Output conv2d(const Input& input, const Input& filter, const Sizes& strides, const Padding& padding,
              const Conv2dOptions& options, std::source_location at) {
  const MadeAt place(at);
  const bool first = is_channels_first(options.data_format);
  return conv2d_node(input, filter, strides.of_input(2, first, "strides"), padding,
                     {.use_cudnn_on_gpu = options.use_cudnn_on_gpu,
                      .explicit_paddings = padding.around(4),
                      .data_format = options.data_format,
                      .dilations = options.dilations.of_input(2, first, "dilations"),
                      .name = options.name},
                     shape_of(input));
}

Output conv2d_backprop_filter(const Input& input, const Input& filter_sizes,
                              const Input& out_backprop, const Sizes& strides,
                              const Padding& padding, const Conv2dOptions& options,
                              std::source_location at) {
  const bool first = is_channels_first(options.data_format);
  return raw::Conv2DBackpropFilter(input, filter_sizes, out_backprop,
                                   strides.of_input(2, first, "strides"), padding.kind(),
                                   {.use_cudnn_on_gpu = options.use_cudnn_on_gpu,
                                    .explicit_paddings = padding.around(4),
                                    .data_format = options.data_format,
                                    .dilations = options.dilations.of_input(2, first, "dilations"),
                                    .name = options.name},
                                   at);
}

Output conv2d_backprop_input(const Input& input_sizes, const Input& filter,
                             const Input& out_backprop, const Sizes& strides,
                             const Padding& padding, const Conv2dOptions& options,
                             std::source_location at) {
  const bool first = is_channels_first(options.data_format);
  return raw::Conv2DBackpropInput(input_sizes, filter, out_backprop,
                                  strides.of_input(2, first, "strides"), padding.kind(),
                                  {.use_cudnn_on_gpu = options.use_cudnn_on_gpu,
                                   .explicit_paddings = padding.around(4),
                                   .data_format = options.data_format,
                                   .dilations = options.dilations.of_input(2, first, "dilations"),
                                   .name = options.name},
                                  at);
}

Output conv3d(const Input& input, const Input& filter, const Sizes& strides, const Padding& padding,
              const Conv3dOptions& options, std::source_location at) {
  const MadeAt place(at);
  const bool first = is_channels_first(options.data_format);
  return conv3d_node(input, filter, strides.of_input(3, first, "strides"), padding,
                     {.data_format = options.data_format,
                      .dilations = options.dilations.of_input(3, first, "dilations"),
                      .name = options.name},
                     shape_of(input));
}

Output atrous_conv2d(const Filter& value, const Filter& filters, std::int64_t rate,
                     const Padding& padding, const NameOptions& options, std::source_location at) {
  return convolution(value, filters, padding,
                     {.dilation_rate = std::vector{rate, rate}, .name = options.name}, at);
}

}  // namespace rill::nn
