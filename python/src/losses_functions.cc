#include "losses_functions.h"

#include "call.h"
#include "collections.h"
#include "errors.h"
#include "rill/api/losses/losses.h"
#include "rill/api/losses/weights_broadcast.h"

namespace rill::python {
namespace {

// The names of labels and predictions differ from loss to loss.
Input required(const Call& c, std::size_t i) {
  const std::string_view name = c.parameter(i);
  if (!c.has(name)) value_error("Argument `", name, "` must not be None.");
  return c.input(name);
}

losses::Reduction loss_reduction_of(const Call& c) {
  const nb::handle given = c["reduction"];
  if (PyUnicode_Check(given.ptr())) return losses::reduction_of(str_of(given));
  value_error("Invalid Reduction Key ", repr_of(given), ".");
}

losses::LossOptions weighted_loss_options(const Call& c) {
  const losses::Reduction reduction = loss_reduction_of(c);
  return {c.input("weights"), c.text("scope"), c.text("loss_collection"), reduction};
}

template <auto F>
nb::object loss(const Call& c) {
  const Input labels = required(c, 0);
  return give(F(labels, required(c, 1), weighted_loss_options(c), {}));
}

template <auto F>
nb::object cross_entropy(const Call& c) {
  const Input labels = required(c, 0), logits = required(c, 1);
  const losses::LossOptions o = weighted_loss_options(c);
  const losses::CrossEntropyOptions options{o.weights, c.number("label_smoothing"), o.scope,
                                            o.loss_collection, o.reduction};
  return give(F(labels, logits, options, {}));
}

nb::object cosine_distance(const Call& c) {
  const std::string_view axis = c.given("axis", "dim");
  if (!c.has(axis)) value_error("You must specify argument `axis`.");
  const Input labels = required(c, 0), predictions = required(c, 1);
  return give(
      losses::cosine_distance(labels, predictions, c.integer(axis), weighted_loss_options(c)));
}

nb::object huber_loss(const Call& c) {
  const Input labels = required(c, 0), predictions = required(c, 1);
  const losses::LossOptions o = weighted_loss_options(c);
  return give(losses::huber_loss(
      labels, predictions, {o.weights, c.input("delta"), o.scope, o.loss_collection, o.reduction}));
}

nb::object log_loss(const Call& c) {
  const Input labels = required(c, 0), predictions = required(c, 1);
  const losses::LossOptions o = weighted_loss_options(c);
  return give(
      losses::log_loss(labels, predictions,
                       {o.weights, c.input("epsilon"), o.scope, o.loss_collection, o.reduction}));
}

nb::object collection(const std::string& name, const std::string& scope) {
  GraphObject& graph = graph_object(wrap(default_graph()));
  nb::list items;
  for (const CollectionItem& item : get_collection(name, scope)) items.append(give(graph, item));
  return items;
}

nb::object add_to_losses(const Call& c) {
  if (c.has("loss_collection") && !c.text("loss_collection").empty())
    add_to_collection(c.text("loss_collection"), item_of(c["loss"]));
  return nb::none();
}

constexpr Function kLosses[] = {
    {"losses.compute_weighted_loss(losses, weights=1.0, scope=None, loss_collection='losses', "
     "reduction='weighted_sum_by_nonzero_weights')",
     [](const Call& c) {
       const losses::Reduction reduction = loss_reduction_of(c);
       return give(losses::compute_weighted_loss(
           c.input("losses"),
           {c.input("weights"), c.text("scope"), c.text("loss_collection"), reduction}));
     },
     "The losses of all elements, weighted, as one."},
    {"losses.absolute_difference(labels, predictions, weights=1.0, scope=None, "
     "loss_collection='losses', reduction='weighted_sum_by_nonzero_weights')",
     loss<losses::absolute_difference>, "The sizes of the differences."},
    {"losses.mean_squared_error(labels, predictions, weights=1.0, scope=None, "
     "loss_collection='losses', reduction='weighted_sum_by_nonzero_weights')",
     loss<losses::mean_squared_error>, "The squares of the differences."},
    {"losses.hinge_loss(labels, logits, weights=1.0, scope=None, loss_collection='losses', "
     "reduction='weighted_sum_by_nonzero_weights')",
     loss<losses::hinge_loss>, "How far logits fall short of the right side by 1."},
    {"losses.cosine_distance(labels, predictions, axis=None, weights=1.0, scope=None, "
     "loss_collection='losses', reduction='weighted_sum_by_nonzero_weights', dim=None)",
     cosine_distance, "One minus the product of unit vectors."},
    {"losses.huber_loss(labels, predictions, weights=1.0, delta=1.0, scope=None, "
     "loss_collection='losses', reduction='weighted_sum_by_nonzero_weights')",
     huber_loss, "Squares of small differences, sizes of large ones."},
    {"losses.log_loss(labels, predictions, weights=1.0, epsilon=1e-07, scope=None, "
     "loss_collection='losses', reduction='weighted_sum_by_nonzero_weights')",
     log_loss, "Minus the logarithm of the probability of the labels."},
    {"losses.mean_pairwise_squared_error(labels, predictions, weights=1.0, scope=None, "
     "loss_collection='losses')",
     [](const Call& c) {
       const Input labels = required(c, 0), predictions = required(c, 1);
       return give(losses::mean_pairwise_squared_error(
           labels, predictions, {c.input("weights"), c.text("scope"), c.text("loss_collection")}));
     },
     "The squared differences between the errors of pairs of elements."},
    {"losses.sigmoid_cross_entropy(multi_class_labels, logits, weights=1.0, label_smoothing=0, "
     "scope=None, loss_collection='losses', reduction='weighted_sum_by_nonzero_weights')",
     cross_entropy<losses::sigmoid_cross_entropy>, "The cross entropy of independent classes."},
    {"losses.softmax_cross_entropy(onehot_labels, logits, weights=1.0, label_smoothing=0, "
     "scope=None, loss_collection='losses', reduction='weighted_sum_by_nonzero_weights')",
     cross_entropy<losses::softmax_cross_entropy>, "The cross entropy of one class out of many."},
    {"losses.sparse_softmax_cross_entropy(labels, logits, weights=1.0, scope=None, "
     "loss_collection='losses', reduction='weighted_sum_by_nonzero_weights')",
     loss<losses::sparse_softmax_cross_entropy>,
     "The cross entropy of one class out of many, given by its number."},
    {"losses.assert_broadcastable(weights, values)",
     [](const Call& c) {
       return give(assert_broadcastable(c.input("weights"), c.input("values")));
     },
     "An operation that fails the step unless weights fit values."},
    {"losses.broadcast_weights(weights, values)",
     [](const Call& c) { return give(broadcast_weights(c.input("weights"), c.input("values"))); },
     "Weights in the shape of values."},
    {"losses.add_loss(loss, loss_collection='losses')", add_to_losses,
     "Puts a loss among the others."},
    {"losses.get_losses(scope=None, loss_collection='losses')",
     [](const Call& c) { return collection(c.text("loss_collection"), c.text("scope")); },
     "The losses of the graph."},
    {"losses.get_regularization_losses(scope=None)",
     [](const Call& c) { return collection(GraphKeys::REGULARIZATION_LOSSES, c.text("scope")); },
     "The losses that regularizers made."},
    {"losses.get_regularization_loss(scope=None, name='total_regularization_loss')",
     [](const Call& c) { return give(losses::get_regularization_loss(c.text("scope"), c.name())); },
     "Their sum."},
    {"losses.get_total_loss(add_regularization_losses=True, name='total_loss', scope=None)",
     [](const Call& c) {
       return give(
           losses::get_total_loss({.add_regularization_losses = c.flag("add_regularization_losses"),
                                   .name = c.name(),
                                   .scope = c.text("scope")}));
     },
     "The sum of all losses."},
};

}  // namespace

void bind_losses() { add_functions(kLosses); }

}  // namespace rill::python
