#include <algorithm>

#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/basic_ops.h"
#include "rill/api/core/slicing.h"
#include "rill/api/debugging/assertions.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/losses/weights_broadcast.h"
#include "rill/api/math/arithmetic.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/reduce.h"
#include "rill/api/metrics/parts.h"

namespace rill::metrics {
namespace {

constexpr double kThresholdEpsilon = 1e-7;

struct OutcomeKind {
  const char* name;
  bool label, prediction;
};
constexpr OutcomeKind kOutcomes[kOutcomeCount] = {{"true_positives", true, true},
                                                  {"false_negatives", true, false},
                                                  {"true_negatives", false, false},
                                                  {"false_positives", false, true}};

// What is 0 or 1 before and after: two checks.
std::vector<Node*> check_range(const Input& predictions) {
  const DType dtype = predictions.is_output()  ? base_type(predictions.output().dtype())
                      : predictions.is_value() ? predictions.value(DType::invalid).dtype()
                                               : base_type(as_tensor(predictions).dtype());
  const debugging::AssertionOptions told{.message = "predictions must be in [0, 1]"};
  Node& above = debugging::assert_greater_equal(predictions, cast(0.0, dtype), told);
  Node& below = debugging::assert_less_equal(predictions, cast(1.0, dtype), told);
  return {&above, &below};
}

Output rows_of(Output row, std::int64_t count) { return raw::Tile(row, parts::ints({count, 1})); }

// One row for each threshold, as long as there are predictions.
Output tiled_thresholds(const Thresholds& thresholds, Output predictions) {
  const std::int64_t known = predictions.shape()[0];
  const Input count =
      known == kUnknownDim ? Input(slice(shape(predictions), {Input(0)})) : Input(known);
  Tensor values(DType::f32, {static_cast<std::int64_t>(thresholds.size())});
  std::ranges::transform(thresholds, values.data<float>(),
                         [](double value) { return static_cast<float>(value); });
  const Output column = expand_dims(constant(values), parts::ints({1}));
  return raw::Tile(column, stack({1, count}));
}

// The four ways that labels and predictions meet, a row for each threshold.
struct Meeting {
  Output labels[2], predictions[2], weights;

  Counted count(const OutcomeKind& kind, std::int64_t thresholds) const {
    const Variable variable = metric_variable({thresholds}, DType::f32, kind.name);
    const Output both = raw::LogicalAnd(labels[kind.label], predictions[kind.prediction]);
    Output number = cast(both, DType::f32);
    if (weights.node) number = operators::mul(number, weights, {});
    return metrics::count(variable, reduce_sum(number, {.axis = 1}));
  }
};

Meeting meeting_of(const Input& labels, const Input& predictions, const Thresholds& thresholds,
                   const OptionalInput& weights, std::initializer_list<Outcome> wanted) {
  const auto any = [&](auto holds) {
    return std::ranges::any_of(wanted, [&](Outcome o) { return holds(kOutcomes[o]); });
  };
  const auto count = static_cast<std::int64_t>(thresholds.size());
  const Sides sides = [&] {
    const ControlDependencies in_range(check_range(predictions));
    const Output numbers = cast(predictions, DType::f32);
    return alike(numbers, cast(labels, DType::boolean), weights);
  }();
  const Output column = raw::Reshape(sides.predictions, parts::ints({-1, 1}));
  const Output row = raw::Reshape(cast(sides.labels, DType::boolean), parts::ints({1, -1}));
  const Output tiled = tiled_thresholds(thresholds, column);
  Meeting meeting;
  meeting.predictions[1] = raw::Greater(rows_of(transpose(column), count), tiled);
  if (any([](const OutcomeKind& kind) { return !kind.prediction; }))
    meeting.predictions[0] = raw::LogicalNot(meeting.predictions[1]);
  meeting.labels[1] = rows_of(row, count);
  if (any([](const OutcomeKind& kind) { return !kind.label; }))
    meeting.labels[0] = raw::LogicalNot(meeting.labels[1]);
  if (sides.weights) {
    const Output wide = cast(*sides.weights, DType::f32);
    const Output broadcast = broadcast_weights(wide, sides.predictions);
    meeting.weights = rows_of(raw::Reshape(broadcast, parts::ints({1, -1})), count);
    require_compatible(tiled, meeting.weights);
  }
  return meeting;
}

Metric count_of_outcome(Outcome outcome, const Input& labels, const Input& predictions,
                        const Thresholds& thresholds, const MetricOptions& options,
                        std::source_location at) {
  const auto scope = open_scope(options.name, kOutcomes[outcome].name, at);
  const Counted counted =
      count_at_thresholds(labels, predictions, thresholds, options.weights, {outcome})[outcome];
  return collected(raw::Identity(counted.value), counted.update_op, options);
}

// True positives among them and `other`.
Metric share_of_true_at_thresholds(const std::string& name, Outcome other, const Input& labels,
                                   const Input& predictions, const Thresholds& thresholds,
                                   const MetricOptions& options, std::source_location at) {
  const auto scope = open_scope(options.name, (name + "_at_thresholds").c_str(), at);
  const AtThresholds counts =
      count_at_thresholds(labels, predictions, thresholds, options.weights, {kTruePositive, other});
  const auto share = [&](const Input& hits, const Input& misses, const char* suffix) {
    const Output all =
        operators::add(operators::add(kThresholdEpsilon, read(hits), at), misses, at);
    return divide(hits, all, {.name = str_cat(name, suffix)});
  };
  const Counted &hits = counts[kTruePositive], &misses = counts[other];
  const Output value = share(hits.value, misses.value, "_value");
  return collected(value, share(hits.update, misses.update, "_update_op"), options);
}

}  // namespace

Thresholds spread_thresholds(std::int64_t count, double above) {
  Thresholds thresholds{0.0 - kThresholdEpsilon};
  for (std::int64_t i = 0; i < count - 2; ++i)
    thresholds.push_back(static_cast<double>(i + 1) * 1.0 / static_cast<double>(count - 1));
  thresholds.push_back(1.0 + above);
  return thresholds;
}

AtThresholds count_at_thresholds(const Input& labels, const Input& predictions,
                                 const Thresholds& thresholds, const OptionalInput& weights,
                                 std::initializer_list<Outcome> wanted) {
  const Meeting meeting = meeting_of(labels, predictions, thresholds, weights, wanted);
  AtThresholds counts;
  for (int i = 0; i < kOutcomeCount; ++i)
    if (std::ranges::find(wanted, static_cast<Outcome>(i)) != wanted.end())
      counts.counts[i] = meeting.count(kOutcomes[i], static_cast<std::int64_t>(thresholds.size()));
  return counts;
}

Metric true_positives_at_thresholds(const Input& labels, const Input& predictions,
                                    const Thresholds& thresholds, const MetricOptions& options,
                                    std::source_location at) {
  return count_of_outcome(kTruePositive, labels, predictions, thresholds, options, at);
}

Metric true_negatives_at_thresholds(const Input& labels, const Input& predictions,
                                    const Thresholds& thresholds, const MetricOptions& options,
                                    std::source_location at) {
  return count_of_outcome(kTrueNegative, labels, predictions, thresholds, options, at);
}

Metric false_positives_at_thresholds(const Input& labels, const Input& predictions,
                                     const Thresholds& thresholds, const MetricOptions& options,
                                     std::source_location at) {
  return count_of_outcome(kFalsePositive, labels, predictions, thresholds, options, at);
}

Metric false_negatives_at_thresholds(const Input& labels, const Input& predictions,
                                     const Thresholds& thresholds, const MetricOptions& options,
                                     std::source_location at) {
  return count_of_outcome(kFalseNegative, labels, predictions, thresholds, options, at);
}

Metric precision_at_thresholds(const Input& labels, const Input& predictions,
                               const Thresholds& thresholds, const MetricOptions& options,
                               std::source_location at) {
  return share_of_true_at_thresholds("precision", kFalsePositive, labels, predictions, thresholds,
                                     options, at);
}

Metric recall_at_thresholds(const Input& labels, const Input& predictions,
                            const Thresholds& thresholds, const MetricOptions& options,
                            std::source_location at) {
  return share_of_true_at_thresholds("recall", kFalseNegative, labels, predictions, thresholds,
                                     options, at);
}

}  // namespace rill::metrics
