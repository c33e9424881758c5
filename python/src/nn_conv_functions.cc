// Convolutions of tf.nn.
#include "array_functions.h"
#include "errors.h"
#include "nn_arguments.h"
#include "nn_functions.h"
#include "rill/api/nn/conv_transpose.h"
#include "rill/api/nn/convolution.h"
#include "rill/api/nn/space_to_batch.h"

namespace rill::python {
namespace {

std::string format_or(const Call& c, const char* otherwise) {
  return c.has("data_format") ? c.text("data_format") : otherwise;
}

nb::object convolution(const Call& c) {
  const nb::handle filter = either(c, "filters", "filter");
  return give(nn::convolution(filter_of(c["input"], "input"), filter_of(filter, "filters"),
                              padding_of(c["padding"]),
                              {.strides = sizes_of(c["strides"]),
                               .dilation_rate = sizes_of(either(c, "dilations", "dilation_rate")),
                               .data_format = c.text("data_format"),
                               .name = c.name()}));
}

nb::object conv1d(const Call& c) {
  const Input value = renamed_input(c, "input", "value");
  return give(
      nn::conv1d(value, c.input("filters"), sizes_of(c["stride"]), padding_of(c["padding"]),
                 {.use_cudnn_on_gpu = !c.has("use_cudnn_on_gpu") || c.flag("use_cudnn_on_gpu"),
                  .data_format = c.text("data_format"),
                  .dilations = sizes_of(c["dilations"]),
                  .name = c.name()}));
}

nn::Conv2dOptions conv2d_options(const Call& c) {
  return {.use_cudnn_on_gpu = c.flag("use_cudnn_on_gpu"),
          .data_format = format_or(c, "NHWC"),
          .dilations = sizes_of(c["dilations"]),
          .name = c.name()};
}

nb::object conv2d(const Call& c) {
  return give(nn::conv2d(c.input("input"), renamed_input(c, "filters", "filter"),
                         sizes_of(c["strides"]), padding_of(c["padding"]), conv2d_options(c)));
}

nb::object conv2d_backprop_filter(const Call& c) {
  return give(nn::conv2d_backprop_filter(c.input("input"), c.input("filter_sizes", DType::i32),
                                         c.input("out_backprop"), sizes_of(c["strides"]),
                                         padding_of(c["padding"]), conv2d_options(c)));
}

nb::object conv2d_backprop_input(const Call& c) {
  return give(nn::conv2d_backprop_input(c.input("input_sizes", DType::i32),
                                        renamed_input(c, "filters", "filter"),
                                        c.input("out_backprop"), sizes_of(c["strides"]),
                                        padding_of(c["padding"]), conv2d_options(c)));
}

nb::object conv3d(const Call& c) {
  return give(nn::conv3d(c.input("input"), renamed_input(c, "filters", "filter"),
                         sizes_of(c["strides"]), padding_of(c["padding"]),
                         {.data_format = format_or(c, "NDHWC"),
                          .dilations = sizes_of(c["dilations"]),
                          .name = c.name()}));
}

nb::object atrous_conv2d(const Call& c) {
  return give(nn::atrous_conv2d(filter_of(c["value"], "input"), filter_of(c["filters"], "filters"),
                                c.integer("rate"), padding_of(c["padding"]), {.name = c.name()}));
}

nn::DepthwiseOptions depthwise_options(const Call& c) {
  return {.rate = sizes_of(either(c, "dilations", "rate")),
          .data_format = c.text("data_format"),
          .name = c.name()};
}

nb::object depthwise_conv2d(const Call& c) {
  return give(nn::depthwise_conv2d(c.input("input"), c.input("filter"), sizes_of(c["strides"]),
                                   padding_of(c["padding"]), depthwise_options(c)));
}

nb::object separable_conv2d(const Call& c) {
  return give(nn::separable_conv2d(c.input("input"), c.input("depthwise_filter"),
                                   c.input("pointwise_filter"), sizes_of(c["strides"]),
                                   padding_of(c["padding"]), depthwise_options(c)));
}

nn::ConvTransposeOptions transpose_options(const Call& c) {
  return {.padding = padding_of(c["padding"]),
          .data_format = c.text("data_format"),
          .dilations = sizes_of(c["dilations"]),
          .name = c.name()};
}

using Transpose = Output (*)(const Input&, const Input&, const ShapeInput&, const nn::Sizes&,
                             const nn::ConvTransposeOptions&, std::source_location);

// The older functions have two names for their inputs.
template <Transpose function>
nb::object renamed_transpose(const Call& c) {
  return give(function(renamed_input(c, "input", "value"), renamed_input(c, "filters", "filter"),
                       shape_input(c["output_shape"]), sizes_of(c["strides"]), transpose_options(c),
                       std::source_location::current()));
}
template <Transpose function>
nb::object conv_transpose(const Call& c) {
  return give(function(c.input("input"), c.input("filters"), shape_input(c["output_shape"]),
                       sizes_of(c["strides"]), transpose_options(c),
                       std::source_location::current()));
}

nb::object atrous_conv2d_transpose(const Call& c) {
  return give(nn::atrous_conv2d_transpose(c.input("value"), c.input("filters"),
                                          shape_input(c["output_shape"]), c.integer("rate"),
                                          padding_of(c["padding"]), {.name = c.name()}));
}

nb::object with_space_to_batch(const Call& c) {
  const nb::object op = nb::borrow(c["op"]);
  const auto call_op = [&](Output input, int spatial, const nn::Padding& padding) {
    const nb::object result = op(give(input), spatial, nb::str(padding.kind().c_str()));
    return as_tensor(input_from(result, "input"));
  };
  return give(nn::with_space_to_batch(c.input("input"), c.input("dilation_rate", DType::i32),
                                      padding_of(c["padding"]), call_op,
                                      {.filter_shape = c.optional_input("filter_shape"),
                                       .spatial_dims = integers(c["spatial_dims"]),
                                       .data_format = c.text("data_format")}));
}

constexpr Function kConvolutions[] = {
    {"nn.convolution(input, filter, padding, strides=None, dilation_rate=None, name=None, "
     "data_format=None, filters=None, dilations=None)",
     convolution, "A convolution over one, two or three dimensions."},
    {"nn.conv1d(value=None, filters=None, stride=None, padding=None, use_cudnn_on_gpu=None, "
     "data_format=None, name=None, input=None, dilations=None)",
     conv1d, "Convolves sequences with a filter."},
    {"nn.conv2d(input, filter=None, strides=None, padding=None, use_cudnn_on_gpu=True, "
     "data_format='NHWC', dilations=[1, 1, 1, 1], name=None, filters=None)",
     conv2d, "Convolves images with a filter."},
    {"nn.conv2d_backprop_filter(input, filter_sizes, out_backprop, strides, padding, "
     "use_cudnn_on_gpu=True, data_format='NHWC', dilations=[1, 1, 1, 1], name=None)",
     conv2d_backprop_filter, "The gradient of conv2d by its filter."},
    {"nn.conv2d_backprop_input(input_sizes, filter=None, out_backprop=None, strides=None, "
     "padding=None, use_cudnn_on_gpu=True, data_format='NHWC', dilations=[1, 1, 1, 1], name=None, "
     "filters=None)",
     conv2d_backprop_input, "The gradient of conv2d by its images."},
    {"nn.conv3d(input, filter=None, strides=None, padding=None, data_format='NDHWC', "
     "dilations=[1, 1, 1, 1, 1], name=None, filters=None)",
     conv3d, "Convolves volumes with a filter."},
    {"nn.atrous_conv2d(value, filters, rate, padding, name=None)", atrous_conv2d,
     "Convolves images with a filter whose elements lie apart."},
    {"nn.depthwise_conv2d(input, filter, strides, padding, rate=None, name=None, "
     "data_format=None, dilations=None)",
     depthwise_conv2d, "Convolves each channel by itself."},
    {"nn.separable_conv2d(input, depthwise_filter, pointwise_filter, strides, padding, rate=None, "
     "name=None, data_format=None, dilations=None)",
     separable_conv2d, "Convolves each channel by itself, then mixes channels."},
    {"nn.conv1d_transpose(input, filters, output_shape, strides, padding='SAME', "
     "data_format='NWC', dilations=None, name=None)",
     conv_transpose<nn::conv1d_transpose>, "The transpose of conv1d."},
    {"nn.conv2d_transpose(value=None, filter=None, output_shape=None, strides=None, "
     "padding='SAME', data_format='NHWC', name=None, input=None, filters=None, dilations=None)",
     renamed_transpose<nn::conv2d_transpose>, "The transpose of conv2d."},
    {"nn.conv3d_transpose(value, filter=None, output_shape=None, strides=None, padding='SAME', "
     "data_format='NDHWC', name=None, input=None, filters=None, dilations=None)",
     renamed_transpose<nn::conv3d_transpose>, "The transpose of conv3d."},
    {"nn.conv_transpose(input, filters, output_shape, strides, padding='SAME', data_format=None, "
     "dilations=None, name=None)",
     conv_transpose<nn::conv_transpose>, "The transpose of a convolution."},
    {"nn.atrous_conv2d_transpose(value, filters, output_shape, rate, padding, name=None)",
     atrous_conv2d_transpose, "The transpose of atrous_conv2d."},
    {"nn.with_space_to_batch(input, dilation_rate, padding, op, filter_shape=None, "
     "spatial_dims=None, data_format=None)",
     with_space_to_batch, "An op on windows whose elements lie apart."},
};

}  // namespace

void add_nn_convolutions() { add_functions(kConvolutions); }

}  // namespace rill::python
