// Pooling of tf.nn.
#include "array_functions.h"
#include "errors.h"
#include "nn_arguments.h"
#include "nn_functions.h"
#include "rill/api/gen/nn.h"
#include "rill/api/nn/pooling.h"
#include "rill/api/random/random_seed.h"

namespace rill::python {
namespace {

using PoolFunction = Output (*)(const Input&, const nn::Sizes&, const nn::Sizes&,
                                const nn::Padding&, const nn::PoolOptions&, std::source_location);

template <PoolFunction function>
nb::object pooled(const Call& c) {
  const Input input = c.knows("value") ? renamed_input(c, "input", "value") : c.input("input");
  return give(function(
      input, sizes_of(c["ksize"]), sizes_of(c["strides"]), padding_of(c["padding"]),
      {.data_format = c.text("data_format"), .name = c.name()}, std::source_location::current()));
}

nb::object pool(const Call& c) {
  return give(nn::pool(c.input("input"), integers(c["window_shape"]), c.text("pooling_type"),
                       padding_of(c["padding"]),
                       {.dilation_rate = sizes_of(either(c, "dilations", "dilation_rate")),
                        .strides = sizes_of(c["strides"]),
                        .data_format = c.text("data_format"),
                        .name = c.name()}));
}

nb::object max_pool_with_argmax(const Call& c) {
  const std::string format = c.text("data_format");
  if (format != "NHWC")
    value_error("`data_format` values other  than 'NHWC' are not supported. Received: data_format=",
                format);
  const std::string_view type = c.given("output_dtype", "Targmax");
  const auto result = raw::MaxPoolWithArgmax(
      c.input("input"), integers(c["ksize"]), integers(c["strides"]), c.text("padding"),
      {.Targmax = c.dtype(type, DType::i64),
       .include_batch_in_index = c.flag("include_batch_in_index"),
       .name = c.name()});
  return give_named("MaxPoolWithArgmax", "output argmax", {result.output, result.argmax});
}

float pooling_ratio(nb::handle item) {
  const double number = PyFloat_AsDouble(item.ptr());
  if (PyErr_Occurred() != nullptr) throw nb::python_error();
  return static_cast<float>(number);
}

template <auto Op, class Options>
nb::object fractional(const Call& c, const char* type) {
  std::vector<float> ratio;
  for (nb::handle item : nb::object(nb::borrow(c["pooling_ratio"])))
    ratio.push_back(pooling_ratio(item));
  const auto result = Op(c.input("value"), ratio,
                         Options{.pseudo_random = c.flag("pseudo_random"),
                                 .overlapping = c.flag("overlapping"),
                                 .deterministic = c.flag("deterministic"),
                                 .seed = c.integer("seed"),
                                 .seed2 = c.integer("seed2"),
                                 .name = c.name()},
                         std::source_location::current());
  return give_named(type, "output row_pooling_sequence col_pooling_sequence",
                    {result.output, result.row_pooling_sequence, result.col_pooling_sequence});
}

nb::object fractional_max_pool(const Call& c) {
  return fractional<raw::FractionalMaxPool, raw::FractionalMaxPoolOptions>(c, "FractionalMaxPool");
}
nb::object fractional_avg_pool(const Call& c) {
  return fractional<raw::FractionalAvgPool, raw::FractionalAvgPoolOptions>(c, "FractionalAvgPool");
}

constexpr Function kPooling[] = {
    {"nn.max_pool(value, ksize, strides, padding, data_format='NHWC', name=None, input=None)",
     pooled<nn::max_pool>, "The largest element of each window of images."},
    {"nn.max_pool1d(input, ksize, strides, padding, data_format='NWC', name=None)",
     pooled<nn::max_pool1d>, "The largest element of each window of sequences."},
    {"nn.max_pool2d(input, ksize, strides, padding, data_format='NHWC', name=None)",
     pooled<nn::max_pool2d>, "The largest element of each window of images."},
    {"nn.max_pool3d(input, ksize, strides, padding, data_format='NDHWC', name=None)",
     pooled<nn::max_pool3d>, "The largest element of each window of volumes."},
    {"nn.max_pool_v2(input, ksize, strides, padding, data_format=None, name=None)",
     pooled<nn::max_pool_v2>, "The largest element of each window."},
    {"nn.avg_pool(value, ksize, strides, padding, data_format='NHWC', name=None, input=None)",
     pooled<nn::avg_pool>, "The mean of each window of images."},
    {"nn.avg_pool1d(input, ksize, strides, padding, data_format='NWC', name=None)",
     pooled<nn::avg_pool1d>, "The mean of each window of sequences."},
    {"nn.avg_pool3d(input, ksize, strides, padding, data_format='NDHWC', name=None)",
     pooled<nn::avg_pool3d>, "The mean of each window of volumes."},
    {"nn.avg_pool_v2(input, ksize, strides, padding, data_format=None, name=None)",
     pooled<nn::avg_pool_v2>, "The mean of each window."},
    {"nn.pool(input, window_shape, pooling_type, padding, dilation_rate=None, strides=None, "
     "name=None, data_format=None, dilations=None)",
     pool, "The largest element or the mean of windows whose elements may lie apart."},
    {"nn.max_pool_with_argmax(input, ksize, strides, padding, data_format='NHWC', Targmax=None, "
     "name=None, output_dtype=None, include_batch_in_index=False)",
     max_pool_with_argmax, "The largest element of each window, and where it is."},
    {"nn.fractional_max_pool(value, pooling_ratio, pseudo_random=False, overlapping=False, "
     "deterministic=False, seed=0, seed2=0, name=None)",
     fractional_max_pool, "The largest elements of windows whose sizes are drawn."},
    {"nn.fractional_avg_pool(value, pooling_ratio, pseudo_random=False, overlapping=False, "
     "deterministic=False, seed=0, seed2=0, name=None)",
     fractional_avg_pool, "The means of windows whose sizes are drawn."},
};

}  // namespace

void add_nn_pooling() { add_functions(kPooling); }

}  // namespace rill::python
