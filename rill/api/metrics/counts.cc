#include "rill/api/array/shapes.h"
#include "rill/api/debugging/rank_assertions.h"
#include "rill/api/debugging/type_checks.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/arithmetic.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/reduce.h"
#include "rill/api/metrics/parts.h"

namespace rill::metrics {
namespace {

Sides truths(const Input& labels, const Input& predictions, const std::optional<Input>& weights) {
  const Output predicted = cast(predictions, DType::boolean);
  return alike(predicted, cast(labels, DType::boolean), weights);
}

// How often a condition holds.
Metric count_condition(Output holds, const MetricOptions& options,
                       const std::optional<Input>& weights) {
  debugging::assert_type(holds, DType::boolean);
  const Variable counter = metric_variable({}, DType::f32, "count");
  Output values = cast(holds, DType::f32);
  if (weights) {
    Node* const fits = &debugging::assert_rank_in(*weights, {0, rank(values)});
    const ControlDependencies wait(std::span(&fits, 1));
    values = raw::Mul(values, cast(*weights, DType::f32));
  }
  const Output value = raw::Identity(counter);
  return collected(value, count(counter, reduce_sum(values)).update_op, options);
}

Metric count_of(const char* name, bool label, bool prediction, const Input& labels,
                const Input& predictions, const MetricOptions& options, std::source_location at) {
  const auto scope = open_scope(options.name, name, at);
  const Sides sides = truths(labels, predictions, options.weights);
  const Output fits = raw::Equal(sides.labels, label);
  const Output both = raw::LogicalAnd(fits, raw::Equal(sides.predictions, prediction));
  return count_condition(both, options, sides.weights);
}

using CountOf = Metric (*)(const Input&, const Input&, const MetricOptions&, std::source_location);

// True positives among them and `others`.
Metric share_of_true(const char* name, CountOf others, const Input& labels,
                     const Input& predictions, const MetricOptions& options,
                     std::source_location at) {
  const auto scope = open_scope(options.name, name, at);
  const Sides sides = truths(labels, predictions, options.weights);
  const MetricOptions inner{.weights = sides.weights};
  const Metric right = true_positives(sides.labels, sides.predictions, inner);
  const Metric wrong = others(sides.labels, sides.predictions, inner, at);
  const auto share = [&](Output hits, Output misses, const char* node_name) {
    const Output any = raw::Greater(operators::add(hits, misses, at), 0);
    const Output part = divide(hits, operators::add(hits, misses, at));
    return raw::Select(any, part, 0, {.name = node_name});
  };
  const Output value = share(right.value, wrong.value, "value");
  return collected(value, share(right.update_op, wrong.update_op, "update_op"), options);
}

}  // namespace

Metric true_positives(const Input& labels, const Input& predictions, const MetricOptions& options,
                      std::source_location at) {
  return count_of("true_positives", true, true, labels, predictions, options, at);
}

Metric true_negatives(const Input& labels, const Input& predictions, const MetricOptions& options,
                      std::source_location at) {
  return count_of("true_negatives", false, false, labels, predictions, options, at);
}

Metric false_positives(const Input& labels, const Input& predictions, const MetricOptions& options,
                       std::source_location at) {
  return count_of("false_positives", false, true, labels, predictions, options, at);
}

Metric false_negatives(const Input& labels, const Input& predictions, const MetricOptions& options,
                       std::source_location at) {
  return count_of("false_negatives", true, false, labels, predictions, options, at);
}

Metric precision(const Input& labels, const Input& predictions, const MetricOptions& options,
                 std::source_location at) {
  return share_of_true("precision", false_positives, labels, predictions, options, at);
}

Metric recall(const Input& labels, const Input& predictions, const MetricOptions& options,
              std::source_location at) {
  return share_of_true("recall", false_negatives, labels, predictions, options, at);
}

}  // namespace rill::metrics
