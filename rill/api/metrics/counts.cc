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

Sides truths(const Input& labels, const Input& predictions, const OptionalInput& weights) {
  const Output predicted = cast(predictions, DType::boolean);
  return alike(predicted, cast(labels, DType::boolean), weights);
}

// How often a condition holds; `value` is what the variable was read as.
Counted count_condition(Output holds, const OptionalInput& weights) {
  debugging::assert_type(holds, DType::boolean);
  const Variable counter = metric_variable({}, DType::f32, "count");
  Output values = cast(holds, DType::f32);
  if (weights) {
    Node* const fits = &debugging::assert_rank_in(*weights, {0, rank(values)});
    const ControlDependencies wait(std::span(&fits, 1));
    values = raw::Mul(values, cast(*weights, DType::f32));
  }
  const Output value = raw::Identity(counter);
  Counted counted = count(counter, reduce_sum(values));
  counted.value = value;
  return counted;
}

struct Kind {
  const char* name;
  bool label, prediction;
};
constexpr Kind kTruePositives{"true_positives", true, true};
constexpr Kind kTrueNegatives{"true_negatives", false, false};
constexpr Kind kFalsePositives{"false_positives", false, true};
constexpr Kind kFalseNegatives{"false_negatives", true, false};

Counted count_of_kind(const Kind& kind, const Input& labels, const Input& predictions,
                      const OptionalInput& weights, const std::string& name,
                      std::source_location at) {
  const auto scope = open_scope(name, kind.name, at);
  const Sides sides = truths(labels, predictions, weights);
  const Output fits = raw::Equal(sides.labels, kind.label);
  const Output both = raw::LogicalAnd(fits, raw::Equal(sides.predictions, kind.prediction));
  return count_condition(both, sides.weights);
}

Metric metric_of(const Kind& kind, const Input& labels, const Input& predictions,
                 const MetricOptions& options, std::source_location at) {
  const Counted counted =
      count_of_kind(kind, labels, predictions, options.weights, options.name, at);
  return collected(counted.value.output(), counted.update_op, options);
}

// True positives among them and `others`.
Metric share_of_true(const char* name, const Kind& others, const Input& labels,
                     const Input& predictions, const MetricOptions& options,
                     std::source_location at) {
  const auto scope = open_scope(options.name, name, at);
  const Sides sides = truths(labels, predictions, options.weights);
  const auto counted = [&](const Kind& kind) {
    return count_of_kind(kind, sides.labels, sides.predictions, sides.weights, "", at);
  };
  const Counted right = counted(kTruePositives), wrong = counted(others);
  const auto share = [&](const Input& hits, const Input& misses, const char* node_name) {
    const Output any = raw::Greater(operators::add(read(hits), misses, at), 0);
    const Output part = divide(hits, operators::add(read(hits), misses, at));
    return raw::Select(any, part, 0, {.name = node_name});
  };
  const Output value = share(right.value, wrong.value, "value");
  return collected(value, share(right.update, wrong.update, "update_op"), options);
}

}  // namespace

Metric true_positives(const Input& labels, const Input& predictions, const MetricOptions& options,
                      std::source_location at) {
  return metric_of(kTruePositives, labels, predictions, options, at);
}

Metric true_negatives(const Input& labels, const Input& predictions, const MetricOptions& options,
                      std::source_location at) {
  return metric_of(kTrueNegatives, labels, predictions, options, at);
}

Metric false_positives(const Input& labels, const Input& predictions, const MetricOptions& options,
                       std::source_location at) {
  return metric_of(kFalsePositives, labels, predictions, options, at);
}

Metric false_negatives(const Input& labels, const Input& predictions, const MetricOptions& options,
                       std::source_location at) {
  return metric_of(kFalseNegatives, labels, predictions, options, at);
}

Metric precision(const Input& labels, const Input& predictions, const MetricOptions& options,
                 std::source_location at) {
  return share_of_true("precision", kFalsePositives, labels, predictions, options, at);
}

Metric recall(const Input& labels, const Input& predictions, const MetricOptions& options,
              std::source_location at) {
  return share_of_true("recall", kFalseNegatives, labels, predictions, options, at);
}

}  // namespace rill::metrics
