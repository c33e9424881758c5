// tf.contrib.losses: tf.losses with predictions first, and with weights of the first dimensions.
#include "call.h"
#include "errors.h"
#include "losses_functions.h"
#include "rill/api/losses/losses.h"
#include "rill/api/losses/weights_broadcast.h"

namespace rill::python {
namespace {

// Labels and predictions of a call, and its weights: of losses with `lost` dimensions less.
struct LossArguments {
  LossArguments(const Call& c, const char* labels_name, int lost = 0) {
    for (const std::string_view name : {c.parameter(0), std::string_view(labels_name)})
      if (!c.has(name)) value_error("Argument `", name, "` must not be None.");
    predictions = as_tensor(c.input(c.parameter(0)), "predictions");
    labels = c.input(labels_name);
    const PartialShape& shape = predictions.shape();
    if (!shape.has_rank()) value_error("losses.get_shape().ndims cannot be None");
    weights =
        c.knows("weights") ? weights_of_rank(c.input("weights"), shape.rank() - lost) : Input(1.0);
    scope = c.text("scope");
  }
  losses::LossOptions options() const { return {weights, scope}; }

  Output predictions;
  Input labels = 0, weights = 0;
  std::string scope;
};

template <auto F>
nb::object contrib_loss(const Call& c) {
  const LossArguments given(c, "labels");
  return give(F(given.labels, given.predictions, given.options(), {}));
}

template <auto F>
nb::object contrib_cross_entropy(const Call& c) {
  const bool single = c.parameter(1) == "onehot_labels";
  const LossArguments given(c, std::string(c.parameter(1)).c_str(), single ? 1 : 0);
  return give(F(given.labels, given.predictions,
                {given.weights, c.number("label_smoothing"), given.scope}, {}));
}

constexpr Function kContribLosses[] = {
    {"contrib.losses.absolute_difference(predictions, labels=None, weights=1.0, scope=None)",
     contrib_loss<losses::absolute_difference>,
     "tf.losses.absolute_difference, predictions first."},
    {"contrib.losses.mean_squared_error(predictions, labels=None, weights=1.0, scope=None)",
     contrib_loss<losses::mean_squared_error>, "tf.losses.mean_squared_error, predictions first."},
    {"contrib.losses.cosine_distance(predictions, labels=None, axis=None, weights=1.0, scope=None, "
     "dim=None)",
     [](const Call& c) {
       const std::string_view axis = c.given("axis", "dim");
       if (!c.has(axis)) value_error("You must specify 'axis'.");
       const LossArguments given(c, "labels");
       return give(losses::cosine_distance(given.labels, given.predictions, c.integer(axis),
                                           given.options()));
     },
     "tf.losses.cosine_distance, predictions first."},
    {"contrib.losses.hinge_loss(logits, labels=None, scope=None)",
     [](const Call& c) {
       losses::LossOptions options = LossArguments(c, "labels").options();
       options.loss_collection = "";
       options.reduction = losses::Reduction::NONE;
       return give(losses::hinge_loss(c.input("labels"), c.input("logits"), options));
     },
     "tf.losses.hinge_loss of each element."},
    {"contrib.losses.log_loss(predictions, labels=None, weights=1.0, epsilon=1e-07, scope=None)",
     [](const Call& c) {
       const LossArguments given(c, "labels");
       return give(losses::log_loss(given.labels, given.predictions,
                                    {given.weights, c.input("epsilon"), given.scope}));
     },
     "tf.losses.log_loss, predictions first."},
    {"contrib.losses.mean_pairwise_squared_error(predictions, labels=None, weights=1.0, "
     "scope=None)",
     [](const Call& c) {
       const LossArguments given(c, "labels");
       return give(losses::mean_pairwise_squared_error(given.labels, given.predictions,
                                                       {given.weights, given.scope}));
     },
     "tf.losses.mean_pairwise_squared_error, predictions first."},
    {"contrib.losses.sigmoid_cross_entropy(logits, multi_class_labels, weights=1.0, "
     "label_smoothing=0, scope=None)",
     contrib_cross_entropy<losses::sigmoid_cross_entropy>,
     "tf.losses.sigmoid_cross_entropy, logits first."},
    {"contrib.losses.softmax_cross_entropy(logits, onehot_labels, weights=1.0, label_smoothing=0, "
     "scope=None)",
     contrib_cross_entropy<losses::softmax_cross_entropy>,
     "tf.losses.softmax_cross_entropy, logits first."},
    {"contrib.losses.sparse_softmax_cross_entropy(logits, labels, weights=1.0, scope=None)",
     [](const Call& c) {
       const LossArguments given(c, "labels", 1);
       return give(
           losses::sparse_softmax_cross_entropy(given.labels, given.predictions, given.options()));
     },
     "tf.losses.sparse_softmax_cross_entropy, logits first."},
    {"contrib.losses.compute_weighted_loss(losses, weights=1.0, scope=None)",
     [](const Call& c) {
       const Output values = as_tensor(c.input("losses"), "losses");
       const Output weights = weights_of_rank(c.input("weights"), values.shape().rank());
       return give(losses::compute_weighted_loss(values, {weights, c.text("scope")}));
     },
     "The losses of all elements, weighted, as one."},
};

}  // namespace

void bind_contrib_losses() { add_functions(kContribLosses); }

}  // namespace rill::python
