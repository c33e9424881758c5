#include <nanobind/stl/string.h>

#include "call.h"
#include "dtypes.h"
#include "errors.h"
#include "inputs.h"
#include "keras.h"
#include "plain_values.h"
#include "rill/api/keras/backend.h"
#include "rill/api/layers/layer.h"
#include "variables.h"

namespace rill::python {
namespace {

namespace k = keras::backend;

k::WindowOptions window_options(const Call& c) {
  k::WindowOptions o;
  if (c.knows("strides") && c.has("strides")) o.strides = c.integers("strides");
  if (c.knows("padding")) o.padding = c.text("padding");
  o.data_format = c.text("data_format");
  if (c.knows("dilation_rate")) o.dilation = c.integers("dilation_rate");
  return o;
}
nb::object conv(const Call& c) {
  return give(k::conv(c.input("x"), c.input("kernel"), window_options(c)));
}
nb::object keras_pool(const Call& c) {
  return give(
      k::pool(c.input("x"), c.integers("pool_size"), c.text("pool_mode"), window_options(c)));
}

k::Margins margins_of(nb::handle pairs) {
  k::Margins margins;
  for (nb::handle pair : pairs)
    margins.emplace_back(integer_of(nb::object(pair[0])), integer_of(nb::object(pair[1])));
  return margins;
}
nb::object keras_pad(const Call& c) {
  return give(k::spatial_padding(c.input("x"), margins_of(c["padding"]), c.text("data_format")));
}
constexpr Function kBackend[] = {
    {"_keras.learning_phase()",
     [](const Call&) {
       const Input phase = k::learning_phase();
       if (phase.is_output()) return give(phase.output());
       return nb::object(
           nb::int_(static_cast<int>(phase.value(DType::i32).scalar_value<std::int32_t>())));
     }},
    {"_keras.set_learning_phase(value)",
     [](const Call& c) {
       std::optional<bool> value;
       if (c.has("value")) value = c.flag("value");
       k::set_learning_phase(value);
       return nb::object(nb::none());
     }},
    {"keras.backend.dot(x, y)",
     [](const Call& c) { return give(k::dot(c.input("x"), c.input("y"))); },
     "The product of the last dimension of x and the last but one of y."},
    {"keras.backend.batch_dot(x, y, axes=None)",
     [](const Call& c) {
       std::optional<std::pair<int, int>> axes;
       if (c.has("axes")) {
         const auto given = c.integers("axes");
         if (given.empty() || given.size() > 2) value_error("axes must be one number or two");
         axes = {static_cast<int>(given.front()), static_cast<int>(given.back())};
       }
       return give(k::batch_dot(c.input("x"), c.input("y"), axes));
     },
     "For each example, the sum of products over one axis of each."},
    {"keras.backend.categorical_crossentropy(target, output, from_logits=False, axis=-1)",
     [](const Call& c) {
       return give(k::categorical_crossentropy(
           c.input("target"), c.input("output"),
           {.from_logits = c.flag("from_logits"), .axis = static_cast<int>(c.integer("axis"))}));
     },
     "The cross entropy of one-hot targets and probabilities."},
    {"keras.backend.sparse_categorical_crossentropy(target, output, from_logits=False, axis=-1)",
     [](const Call& c) {
       return give(k::sparse_categorical_crossentropy(
           c.input("target"), c.input("output"),
           {.from_logits = c.flag("from_logits"), .axis = static_cast<int>(c.integer("axis"))}));
     },
     "The cross entropy of numbers of classes and probabilities."},
    {"keras.backend.binary_crossentropy(target, output, from_logits=False)",
     [](const Call& c) {
       return give(
           k::binary_crossentropy(c.input("target"), c.input("output"), c.flag("from_logits")));
     },
     "The cross entropy of targets and predictions between 0 and 1."},
    {"keras.backend.conv1d(x, kernel, strides=1, padding='valid', data_format=None, "
     "dilation_rate=1)",
     conv, "A convolution over one dimension."},
    {"keras.backend.conv2d(x, kernel, strides=(1, 1), padding='valid', data_format=None, "
     "dilation_rate=(1, 1))",
     conv, "A convolution over two dimensions."},
    {"keras.backend.conv3d(x, kernel, strides=(1, 1, 1), padding='valid', data_format=None, "
     "dilation_rate=(1, 1, 1))",
     conv, "A convolution over three dimensions."},
    {"keras.backend.conv2d_transpose(x, kernel, output_shape, strides=(1, 1), padding='valid', "
     "data_format=None, dilation_rate=(1, 1))",
     [](const Call& c) {
       return give(k::conv_transpose(c.input("x"), c.input("kernel"),
                                     c.input("output_shape", DType::i32), window_options(c)));
     },
     "What conv2d would have been of."},
    {"keras.backend.separable_conv2d(x, depthwise_kernel, pointwise_kernel, strides=(1, 1), "
     "padding='valid', data_format=None, dilation_rate=(1, 1))",
     [](const Call& c) {
       return give(k::separable_conv(c.input("x"), c.input("depthwise_kernel"),
                                     c.input("pointwise_kernel"), window_options(c)));
     },
     "A convolution of each channel, then one over channels."},
    {"keras.backend.pool2d(x, pool_size, strides=(1, 1), padding='valid', data_format=None, "
     "pool_mode='max')",
     keras_pool, "The largest or mean value of each window."},
    {"keras.backend.pool3d(x, pool_size, strides=(1, 1, 1), padding='valid', data_format=None, "
     "pool_mode='max')",
     keras_pool, "The largest or mean value of each window."},
    {"keras.backend.bias_add(x, bias, data_format=None)",
     [](const Call& c) {
       return give(k::bias_add(c.input("x"), c.input("bias"), c.text("data_format")));
     },
     "x with one number added to each channel."},
    {"keras.backend.spatial_2d_padding(x, padding=((1, 1), (1, 1)), data_format=None)", keras_pad,
     "Zeros around the dimensions in space."},
    {"keras.backend.spatial_3d_padding(x, padding=((1, 1), (1, 1), (1, 1)), data_format=None)",
     keras_pad, "Zeros around the dimensions in space."},
    {"keras.backend.resize_volumes(x, depth_factor, height_factor, width_factor, data_format)",
     [](const Call& c) {
       return give(k::upsample(
           c.input("x"),
           {c.integer("depth_factor"), c.integer("height_factor"), c.integer("width_factor")},
           c.text("data_format")));
     },
     "Each element as often as the factors say."},
    {"keras.backend.resize_images(x, height_factor, width_factor, data_format, "
     "interpolation='nearest')",
     [](const Call& c) {
       return give(k::upsample(c.input("x"),
                               {c.integer("height_factor"), c.integer("width_factor")},
                               c.text("data_format"), c.text("interpolation")));
     },
     "Images made larger by whole factors."},
    {"keras.backend.local_conv1d(inputs, kernel, kernel_size, strides, data_format=None)",
     [](const Call& c) {
       const Output kernel = as_tensor(c.input("kernel"), "kernel");
       return give(k::local_conv(
           c.input("inputs"), kernel, c.integers("kernel_size"), c.integers("strides"),
           {kernel.shape().rank() == 3 ? kernel.shape().dim(0) : 0}, c.text("data_format")));
     },
     "A convolution with other weights at each place."},
    {"keras.backend.local_conv2d(inputs, kernel, kernel_size, strides, output_shape, "
     "data_format=None)",
     [](const Call& c) {
       return give(k::local_conv(c.input("inputs"), c.input("kernel"), c.integers("kernel_size"),
                                 c.integers("strides"), c.integers("output_shape"),
                                 c.text("data_format")));
     },
     "A convolution with other weights at each place."},
    {"keras.backend.batch_flatten(x)",
     [](const Call& c) { return give(k::batch_flatten(c.input("x"))); },
     "Each example as a vector."},
    {"keras.backend.repeat(x, n)",
     [](const Call& c) { return give(k::repeat(c.input("x"), c.integer("n"))); },
     "Each vector n times, along a new dimension."},
    {"keras.backend.repeat_elements(x, rep, axis)",
     [](const Call& c) {
       return give(
           k::repeat_elements(c.input("x"), c.integer("rep"), static_cast<int>(c.integer("axis"))));
     },
     "Each element along an axis several times."},
    {"_keras.dropout(x, level, noise_shape, seed)",
     [](const Call& c) {
       return give(k::dropout(c.input("x"), c.number("level"),
                              c.optional_input("noise_shape", DType::i32),
                              c.optional_integer("seed")));
     }},
    {"keras.backend.batch_normalization(x, mean, var, beta, gamma, axis=-1, epsilon=0.001)",
     [](const Call& c) {
       return give(k::batch_normalization(
           c.input("x"), c.input("mean"), c.input("var"), c.optional_input("beta"),
           c.optional_input("gamma"), static_cast<int>(c.integer("axis")), c.number("epsilon")));
     },
     "(x - mean) / sqrt(var + epsilon) * gamma + beta"},
    {"keras.backend.moving_average_update(x, value, momentum)",
     [](const Call& c) {
       return give(
           k::moving_average_update(variable_of(c["x"]), c.input("value"), c.number("momentum")));
     },
     "The variable, after a value was taken into its moving average."},
};

nb::object keras_rnn(nb::object step, nb::handle inputs, nb::handle states, bool go_backwards,
                     nb::handle mask, bool unroll, bool time_major, bool zero_output_for_mask) {
  PyObject* const seen[] = {inputs.ptr(), states.ptr(), mask.ptr()};
  const InCallersPlace place(seen);
  return building([&]() -> nb::object {
    const auto one = [](nb::handle value) {
      return as_tensor(input_of(value, DType::invalid, "", "x"));
    };
    k::RnnOptions options{.go_backwards = go_backwards,
                          .mask = {},
                          .unroll = unroll,
                          .time_major = time_major,
                          .zero_output_for_mask = zero_output_for_mask};
    if (!mask.is_none()) options.mask = one(mask);
    std::vector<Output> initial;
    for (nb::handle state : states) initial.push_back(one(state));
    const k::StepFunction function = [&](Output input, const std::vector<Output>& now) {
      const nb::object made = step(give(input), give(now));
      k::StepResult next{one(nb::object(made[0])), {}};
      for (nb::handle state : nb::object(made[1])) next.states.push_back(one(state));
      return next;
    };
    const k::RnnResult result = k::rnn(function, one(inputs), initial, options);
    return nb::make_tuple(give(result.last_output), give(result.outputs), give(result.states));
  });
}

}  // namespace

void bind_keras_backend(nb::module_& m) {
  add_functions(kBackend);
  m.def("keras_rnn", keras_rnn, nb::arg("step"), nb::arg("inputs"), nb::arg("states"),
        nb::arg("go_backwards"), nb::arg("mask").none(), nb::arg("unroll"), nb::arg("time_major"),
        nb::arg("zero_output_for_mask"));
  m.def("keras_epsilon", k::epsilon);
  m.def("keras_set_epsilon", k::set_epsilon);
  m.def("keras_set_floatx",
        [](nb::handle dtype) { building([&] { k::set_floatx(as_dtype(dtype)); }); });
  m.def("keras_set_image_data_format",
        [](const std::string& format) { building([&] { k::set_image_data_format(format); }); });
  m.def("keras_forget_names", [] { layers::forget_layer_names(*default_graph()); });
}

}  // namespace rill::python
