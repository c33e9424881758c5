// Losses of tf.nn.
#include "array_functions.h"
#include "errors.h"
#include "nn_arguments.h"
#include "nn_functions.h"
#include "rill/api/nn/average_loss.h"
#include "rill/api/nn/cross_entropy.h"

namespace rill::python {
namespace {

// Labels and logits are easily mistaken for each other, so they must be given by name.
void require_names(const Call& c, const char* function) {
  if (c.has("_sentinel"))
    value_error("Only call `", function, "` with named arguments (labels=..., logits=..., ...)");
  if (!c.has("labels") || !c.has("logits"))
    value_error("Both `labels` and `logits` must be provided. Received: labels=",
                repr_of(c["labels"]), " and logits=", repr_of(c["logits"]));
}

nn::CrossEntropyOptions cross_entropy_options(const Call& c, nb::handle axis) {
  if (axis.is_none()) return {.name = c.name()};
  const std::vector<std::int64_t> numbers = integers(axis);
  if (numbers.size() != 1) value_error("`axis` must be one number, got ", repr_of(axis));
  return {.axis = static_cast<int>(numbers[0]), .name = c.name()};
}

nb::object sigmoid_cross_entropy(const Call& c) {
  require_names(c, "sigmoid_cross_entropy_with_logits");
  return give(nn::sigmoid_cross_entropy_with_logits(c.input("labels"), c.input("logits"),
                                                    {.name = c.name()}));
}

nb::object softmax_cross_entropy(const Call& c) {
  // `dim` has a default, so that only `axis` tells whether the newer name was used.
  const nb::handle axis = c.has("axis") ? c["axis"] : c["dim"];
  require_names(c, "softmax_cross_entropy_with_logits");
  return give(nn::softmax_cross_entropy_with_logits(c.input("labels"), c.input("logits"),
                                                    cross_entropy_options(c, axis)));
}

nb::object softmax_cross_entropy_v2(const Call& c) {
  return give(nn::softmax_cross_entropy_with_logits_v2(
      c.input("labels"), c.input("logits"), cross_entropy_options(c, either(c, "axis", "dim"))));
}

nb::object sparse_softmax_cross_entropy(const Call& c) {
  require_names(c, "sparse_softmax_cross_entropy_with_logits");
  return give(nn::sparse_softmax_cross_entropy_with_logits(c.input("labels"), c.input("logits"),
                                                           {.name = c.name()}));
}

nb::object weighted_cross_entropy(const Call& c) {
  const Input labels = renamed_input(c, "labels", "targets");
  return give(nn::weighted_cross_entropy_with_logits(labels, c.input("logits"),
                                                     c.operand("pos_weight"), {.name = c.name()}));
}

nb::object compute_average_loss(const Call& c) {
  return give(nn::compute_average_loss(
      c.input("per_example_loss"), {.sample_weight = c.optional_input("sample_weight"),
                                    .global_batch_size = c.optional_input("global_batch_size")}));
}

constexpr Function kCrossEntropies[] = {
    {"nn.sigmoid_cross_entropy_with_logits(_sentinel=None, labels=None, logits=None, name=None)",
     sigmoid_cross_entropy, "The cross entropy of yes-or-no questions."},
    {"nn.weighted_cross_entropy_with_logits(labels=None, logits=None, pos_weight=None, name=None, "
     "targets=None)",
     weighted_cross_entropy, "The same where what is true counts more, or less."},
    {"nn.softmax_cross_entropy_with_logits(_sentinel=None, labels=None, logits=None, dim=-1, "
     "name=None, axis=None)",
     softmax_cross_entropy, "The cross entropy of distributions, without gradients for labels."},
    {"nn.softmax_cross_entropy_with_logits_v2(labels, logits, axis=None, name=None, dim=None)",
     softmax_cross_entropy_v2, "The cross entropy of distributions."},
    {"nn.sparse_softmax_cross_entropy_with_logits(_sentinel=None, labels=None, logits=None, "
     "name=None)",
     sparse_softmax_cross_entropy, "The cross entropy with labels that are numbers of classes."},
    {"nn.log_poisson_loss(targets, log_input, compute_full_loss=False, name=None)",
     [](const Call& c) {
       return give(nn::log_poisson_loss(
           c.input("targets"), c.input("log_input"),
           {.compute_full_loss = c.flag("compute_full_loss"), .name = c.name()}));
     },
     "Minus the logarithm of the probability of counts."},
    {"nn.compute_average_loss(per_example_loss, sample_weight=None, global_batch_size=None)",
     compute_average_loss, "The sum of losses over the number of examples."},
    {"nn.scale_regularization_loss(regularization_loss)",
     [](const Call& c) {
       return give(nn::scale_regularization_loss(c.input("regularization_loss")));
     },
     "The sum of losses over the number of replicas."},
};

}  // namespace

void add_nn_losses() { add_functions(kCrossEntropies); }

}  // namespace rill::python
