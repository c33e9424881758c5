// Activations and dropout of tf.nn.
#include "nn_functions.h"

#include "array_functions.h"
#include "call.h"
#include "errors.h"
#include "nn_arguments.h"
#include "rill/api/nn/activations.h"
#include "rill/api/nn/dropout.h"
#include "rill/api/nn/morphology.h"
#include "rill/api/nn/softmax.h"

namespace rill::python {
namespace {

// `dim` is the older name of `axis`.
nn::SoftmaxOptions softmax_options(const Call& c) {
  if (c.has("axis") && c.has("dim")) value_error("Cannot specify both 'axis' and 'dim'");
  const char* given = c.has("dim") ? "dim" : "axis";
  return {.axis = static_cast<int>(c.optional_integer(given).value_or(-1)), .name = c.name()};
}

// A shape in which None stands for a size that the tensor knows.
ShapeInput noise_shape(nb::handle value) {
  if (!PyList_Check(value.ptr()) && !PyTuple_Check(value.ptr())) return shape_input(value);
  nb::list dims;
  for (nb::handle dim : nb::object(nb::borrow(value)))
    dims.append(dim.is_none() ? nb::object(nb::int_(-1)) : nb::object(nb::borrow(dim)));
  return shape_input(dims);
}

nb::object dropout(const Call& c) {
  nn::DropoutOptions options{.seed = c.optional_integer("seed"), .name = c.name()};
  if (c.has("keep_prob")) options.keep_prob = c.operand("keep_prob");
  if (c.has("rate")) options.rate = c.operand("rate");
  if (c.has("noise_shape")) options.noise_shape = noise_shape(c["noise_shape"]);
  return give(nn::dropout(c.input("x"), options));
}

constexpr Function kFunctions[] = {
    {"nn.softmax(logits, axis=None, name=None, dim=None)",
     [](const Call& c) { return give(nn::softmax(c.input("logits"), softmax_options(c))); },
     "Positive numbers that add up to one along an axis."},
    {"nn.log_softmax(logits, axis=None, name=None, dim=None)",
     [](const Call& c) { return give(nn::log_softmax(c.input("logits"), softmax_options(c))); },
     "The logarithms of softmax."},
    {"nn.relu6(features, name=None)",
     [](const Call& c) { return give(nn::relu6(c.input("features"), {.name = c.name()})); },
     "x, but not below 0 nor above 6."},
    {"nn.crelu(features, name=None, axis=-1)",
     [](const Call& c) {
       return give(nn::crelu(c.input("features"),
                             {.axis = static_cast<int>(c.integer("axis")), .name = c.name()}));
     },
     "relu(x) and relu(-x), one after the other."},
    {"nn.leaky_relu(features, alpha=0.2, name=None)",
     [](const Call& c) {
       return give(
           nn::leaky_relu(c.input("features"),
                          {.alpha = static_cast<float>(c.number("alpha")), .name = c.name()}));
     },
     "x where it is above 0, else alpha * x."},
    {"nn.swish(features)", [](const Call& c) { return give(nn::swish(c.input("features"))); },
     "x * sigmoid(x)."},
    {"nn.bias_add(value, bias, data_format=None, name=None)",
     [](const Call& c) {
       return give(nn::bias_add(c.input("value"), c.operand("bias"),
                                {.data_format = c.text("data_format"), .name = c.name()}));
     },
     "A bias added to each channel."},
    {"nn.xw_plus_b(x, weights, biases, name=None)",
     [](const Call& c) {
       return give(
           nn::xw_plus_b(c.input("x"), c.input("weights"), c.input("biases"), {.name = c.name()}));
     },
     "x * weights + biases."},
    {"nn.relu_layer(x, weights, biases, name=None)",
     [](const Call& c) {
       return give(
           nn::relu_layer(c.input("x"), c.input("weights"), c.input("biases"), {.name = c.name()}));
     },
     "relu(x * weights + biases)."},
    {"nn.dilation2d(input, filter=None, strides=None, rates=None, padding=None, name=None, "
     "filters=None, dilations=None)",
     [](const Call& c) {
       return give(nn::dilation2d(c.input("input"), renamed_input(c, "filters", "filter"),
                                  integers(c["strides"]), integers(either(c, "dilations", "rates")),
                                  c.text("padding"), {.name = c.name()}));
     },
     "The largest sum of a window and the filter."},
    {"nn.erosion2d(value, kernel, strides, rates, padding, name=None)",
     [](const Call& c) {
       return give(nn::erosion2d(c.input("value"), c.input("kernel"), integers(c["strides"]),
                                 integers(c["rates"]), c.text("padding"), {.name = c.name()}));
     },
     "The smallest difference of a window and the kernel."},
    {"nn.dropout(x, keep_prob=None, noise_shape=None, seed=None, name=None, rate=None)", dropout,
     "Some elements become 0 at random."},
};

}  // namespace

void bind_nn_functions() {
  add_functions(kFunctions);
  add_nn_convolutions();
  add_nn_ctc();
  add_nn_embeddings();
  add_nn_losses();
  add_nn_normalization();
  add_nn_pooling();
}

}  // namespace rill::python
