#include "keras.h"

#include "call.h"
#include "errors.h"
#include "inputs.h"
#include "rill/api/keras/activations.h"
#include "rill/api/keras/constraints.h"
#include "rill/api/keras/losses.h"
#include "rill/api/keras/metrics.h"
#include "rill/api/keras/regularizers.h"

namespace rill::python {
namespace {

Output tensor(const Call& c, const char* name) { return as_tensor(c.input(name), name); }
Output x_of(const Call& c) { return tensor(c, "x"); }

template <auto F>
nb::object of_x(const Call& c) {
  return give(F(x_of(c), std::source_location::current()));
}
nb::object linear(const Call& c) { return nb::borrow(c["x"]); }

template <auto F>
nb::object of_pair(const Call& c) {
  const Output y_pred = tensor(c, "y_pred");
  return give(F(tensor(c, "y_true"), y_pred));
}
keras::losses::LossOptions keras_loss_options(const Call& c) {
  keras::losses::LossOptions o;
  if (c.knows("from_logits")) o.from_logits = c.flag("from_logits");
  if (c.knows("label_smoothing")) o.label_smoothing = c.number("label_smoothing");
  if (c.knows("axis")) o.axis = static_cast<int>(c.integer("axis"));
  if (c.knows("delta")) o.delta = c.number("delta");
  return o;
}
template <auto F>
nb::object of_pair_with_options(const Call& c) {
  const Output y_pred = tensor(c, "y_pred");
  return give(F(tensor(c, "y_true"), y_pred, keras_loss_options(c)));
}

nb::object relu(const Call& c) {
  keras::activations::ReluOptions o{.alpha = c.number("alpha")};
  if (c.has("max_value")) o.max_value = c.number("max_value");
  o.threshold = c.number("threshold");
  return give(keras::activations::relu(x_of(c), o));
}

keras::Reduction keras_reduction_of(const std::string& name) {
  if (name == "none") return keras::Reduction::kNone;
  if (name == "sum") return keras::Reduction::kSum;
  if (name == "auto" || name == "sum_over_batch_size") return keras::Reduction::kSumOverBatchSize;
  value_error("Invalid Reduction Key ", name, ".");
}

constexpr Function kActivations[] = {
    {"keras.activations.elu(x, alpha=1.0)",
     [](const Call& c) { return give(keras::activations::elu(x_of(c), c.number("alpha"))); },
     "x where it is positive, alpha * (exp(x) - 1) elsewhere."},
    {"keras.activations.exponential(x)", of_x<keras::activations::exponential>, "exp(x)"},
    {"keras.activations.hard_sigmoid(x)", of_x<keras::activations::hard_sigmoid>,
     "0.2 * x + 0.5, brought to [0, 1]."},
    {"keras.activations.linear(x)", linear, "x itself."},
    {"keras.activations.relu(x, alpha=0.0, max_value=None, threshold=0)", relu,
     "x above the threshold, at most max_value; alpha * (x - threshold) below."},
    {"keras.activations.selu(x)", of_x<keras::activations::selu>,
     "elu, scaled so that values keep their spread."},
    {"keras.activations.sigmoid(x)", of_x<keras::activations::sigmoid>, "1 / (1 + exp(-x))"},
    {"keras.activations.softmax(x, axis=-1)",
     [](const Call& c) {
       return give(keras::activations::softmax(x_of(c), static_cast<int>(c.integer("axis"))));
     },
     "Positive numbers that add up to one along an axis."},
    {"keras.activations.softplus(x)", of_x<keras::activations::softplus>, "log(exp(x) + 1)"},
    {"keras.activations.softsign(x)", of_x<keras::activations::softsign>, "x / (|x| + 1)"},
    {"keras.activations.tanh(x)", of_x<keras::activations::tanh>, "The hyperbolic tangent."},
};

constexpr Function kKerasLosses[] = {
    {"keras.metrics.mean_squared_error(y_true, y_pred)", of_pair<keras::losses::mean_squared_error>,
     "The mean square of the differences, of each example."},
    {"keras.metrics.mean_absolute_error(y_true, y_pred)",
     of_pair<keras::losses::mean_absolute_error>, "The mean size of the differences."},
    {"keras.metrics.mean_absolute_percentage_error(y_true, y_pred)",
     of_pair<keras::losses::mean_absolute_percentage_error>,
     "The mean difference in per cent of the truth."},
    {"keras.metrics.mean_squared_logarithmic_error(y_true, y_pred)",
     of_pair<keras::losses::mean_squared_logarithmic_error>,
     "The mean square of the differences of logarithms."},
    {"keras.metrics.squared_hinge(y_true, y_pred)", of_pair<keras::losses::squared_hinge>,
     "The mean square of what is missing to a margin of one."},
    {"keras.metrics.hinge(y_true, y_pred)", of_pair<keras::losses::hinge>,
     "The mean of what is missing to a margin of one."},
    {"keras.losses.categorical_hinge(y_true, y_pred)", of_pair<keras::losses::categorical_hinge>,
     "By how much the best wrong class comes too near to the right one."},
    {"_keras.huber_loss(y_true, y_pred, delta=1.0)",
     of_pair_with_options<keras::losses::huber_loss>,
     "Squares of small differences, sizes of large ones."},
    {"keras.losses.logcosh(y_true, y_pred)", of_pair<keras::losses::logcosh>,
     "The logarithm of the hyperbolic cosine of the differences."},
    {"keras.metrics.categorical_crossentropy(y_true, y_pred, from_logits=False, label_smoothing=0)",
     of_pair_with_options<keras::losses::categorical_crossentropy>,
     "The cross entropy of predicted classes and true ones, which are one-hot."},
    {"keras.metrics.sparse_categorical_crossentropy(y_true, y_pred, from_logits=False, axis=-1)",
     of_pair_with_options<keras::losses::sparse_categorical_crossentropy>,
     "The cross entropy of predicted classes and true ones, which are numbers of classes."},
    {"keras.metrics.binary_crossentropy(y_true, y_pred, from_logits=False, label_smoothing=0)",
     of_pair_with_options<keras::losses::binary_crossentropy>,
     "The cross entropy of predictions and truths between 0 and 1."},
    {"keras.metrics.kullback_leibler_divergence(y_true, y_pred)",
     of_pair<keras::losses::kullback_leibler_divergence>,
     "How far the prediction is from the truth, both distributions."},
    {"keras.metrics.poisson(y_true, y_pred)", of_pair<keras::losses::poisson>,
     "The Poisson loss of predicted rates."},
    {"keras.metrics.cosine_proximity(y_true, y_pred, axis=-1)",
     of_pair_with_options<keras::losses::cosine_proximity>,
     "The cosine of the angle between them."},
    {"keras.metrics.binary_accuracy(y_true, y_pred, threshold=0.5)",
     [](const Call& c) {
       const Output y_pred = tensor(c, "y_pred");
       return give(
           keras::metrics::binary_accuracy(tensor(c, "y_true"), y_pred, c.number("threshold")));
     },
     "How often predictions are on the right side of the threshold."},
    {"keras.metrics.categorical_accuracy(y_true, y_pred)",
     of_pair<keras::metrics::categorical_accuracy>,
     "Whether the best predicted class is the true one."},
    {"keras.metrics.sparse_categorical_accuracy(y_true, y_pred)",
     of_pair<keras::metrics::sparse_categorical_accuracy>, "The same for numbers of classes."},
    {"keras.metrics.top_k_categorical_accuracy(y_true, y_pred, k=5)",
     [](const Call& c) {
       const Output y_pred = tensor(c, "y_pred");
       return give(
           keras::metrics::top_k_categorical_accuracy(tensor(c, "y_true"), y_pred, c.integer("k")));
     },
     "Whether the true class is among the k best."},
    {"keras.metrics.sparse_top_k_categorical_accuracy(y_true, y_pred, k=5)",
     [](const Call& c) {
       const Output y_pred = tensor(c, "y_pred");
       return give(keras::metrics::sparse_top_k_categorical_accuracy(tensor(c, "y_true"), y_pred,
                                                                     c.integer("k")));
     },
     "The same for numbers of classes."},
    {"_keras.weighted_loss(losses, weights, reduction)",
     [](const Call& c) {
       std::optional<Output> weights;
       const Output losses = tensor(c, "losses");
       if (c.has("weights")) weights = tensor(c, "weights");
       return give(keras::weighted_loss(losses, weights, keras_reduction_of(c.text("reduction"))));
     }},
};

constexpr Function kParts[] = {
    {"_keras.penalty(x, l1, l2)",
     [](const Call& c) {
       return give(keras::regularizers::l1_l2(c.number("l1"), c.number("l2")).of(x_of(c)));
     }},
    {"_keras.max_norm(x, max_value, axis)",
     [](const Call& c) {
       return give(
           keras::constraints::max_norm(c.number("max_value"), c.integers("axis"))(x_of(c)));
     }},
    {"_keras.min_max_norm(x, min_value, max_value, rate, axis)",
     [](const Call& c) {
       return give(keras::constraints::min_max_norm(c.number("min_value"), c.number("max_value"),
                                                    c.number("rate"), c.integers("axis"))(x_of(c)));
     }},
    {"_keras.non_neg(x)",
     [](const Call& c) { return give(keras::constraints::non_neg()(x_of(c))); }},
    {"_keras.unit_norm(x, axis)",
     [](const Call& c) {
       return give(keras::constraints::unit_norm(c.integers("axis"))(x_of(c)));
     }},
    {"_keras.radial_constraint(x)",
     [](const Call& c) { return give(keras::constraints::radial_constraint()(x_of(c))); }},
};

}  // namespace

void bind_keras_functions() {
  add_functions(kActivations);
  add_functions(kKerasLosses);
  add_functions(kParts);
}

}  // namespace rill::python
