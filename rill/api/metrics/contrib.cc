#include "rill/api/metrics/contrib.h"

#include <limits>

#include "rill/api/array/shapes.h"
#include "rill/api/core/texts.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/losses/weights_broadcast.h"
#include "rill/api/math/arithmetic.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/reduce.h"
#include "rill/api/math/search.h"
#include "rill/api/metrics/class_sets.h"
#include "rill/api/metrics/parts.h"

namespace rill::contrib::metrics {
namespace {

using namespace rill::metrics;

constexpr double kScoreEpsilon = 1e-7;

void check_types(Output predictions, Output labels) {
  const DType type = base_type(labels.dtype());
  require(kIntTypes.contains(type) || type == DType::boolean || type == DType::string,
          "Labels should have bool, integer, or string dtype, not ", dtype_text(type));
  require(base_type(predictions.dtype()) == type,
          "Dtypes of predictions and labels should match. Given: predictions (",
          dtype_text(predictions.dtype()), ") and labels (", dtype_text(type), ")");
}

// Zero where there is nothing to divide by.
Output safe_ratio(const Input& x, const Input& y) { return raw::DivNoNan(x, raw::Maximum(y, 0)); }

// The mean of one side, kept up to date: what it is in this batch, and was before it.
struct RunningMean {
  RunningMean(const char* name, Output sum, Output batch_count, const Input& new_count)
      : batch(safe_ratio(sum, batch_count)) {
    const Variable mean = metric_variable({}, DType::f32, name);
    const Output moved = operators::sub(batch, read(mean), {});
    const Output change = safe_ratio(operators::mul(moved, batch_count, {}), new_count);
    before = operators::sub(read(rill::metrics::count(mean, change).update), change, {});
  }
  Output batch, before;
};

Output covariance_of(const Input& comoment, const Input& count, const char* name) {
  const Output is_few = raw::LessEqual(count, 1.0);
  const Output value = rill::truediv(comoment, operators::sub(read(count), 1, {}));
  return raw::Select(is_few, std::numeric_limits<float>::quiet_NaN(), value, {.name = name});
}

struct WeightedPair {
  Output predictions, labels;
  std::optional<Output> weights;
  Output sum(Output x) const { return reduce_sum(weights ? raw::Mul(x, *weights) : x); }
  Output count() const { return weights ? reduce_sum(*weights) : cast(size(labels), DType::f32); }
};

WeightedPair weighted_pair(const Input& predictions, const Input& labels,
                           const OptionalInput& weights) {
  const Output p = cast(predictions, DType::f32);
  const Sides sides = alike(p, cast(labels, DType::f32), weights);
  WeightedPair found{sides.predictions, sides.labels, {}};
  if (sides.weights)
    found.weights = broadcast_weights(cast(*sides.weights, DType::f32), sides.labels);
  return found;
}

}  // namespace

Output accuracy(const Input& given_predictions, const Input& given_labels,
                const AccuracyOptions& options, std::source_location at) {
  const Block in(options.name, "accuracy", at);
  const Output predictions = as_tensor(given_predictions, "predictions");
  const Output labels = as_tensor(given_labels, "labels");
  check_types(predictions, labels);
  require_compatible(predictions, labels);
  const Output is_correct = cast(raw::Equal(predictions, labels), DType::f32);
  if (!options.weights) return reduce_mean(is_correct);
  const Output hits = raw::Mul(is_correct, *options.weights);
  const Output all = raw::Mul(*options.weights, ones_like(hits));
  const Output hit_sum = reduce_sum(hits);
  return div(hit_sum, reduce_sum(all));
}

Metric count(const Input& given, const MetricOptions& options, std::source_location at) {
  const auto scope = open_scope(options.name, "count", at);
  const Variable counter = metric_variable({}, DType::f32, "count");
  Output values = as_tensor(given), number;
  if (options.weights) {
    const Sides sides = alike(values, {}, options.weights);
    values = cast(sides.predictions, DType::f32);
    number = reduce_sum(broadcast_weights(cast(*sides.weights, DType::f32), values));
  } else {
    number = cast(size(values), DType::f32);
  }
  const ControlDependencies wait(values);
  const Counted counted = rill::metrics::count(counter, number);
  return collected(raw::Identity(counted.value), counted.update_op, options);
}

Metric streaming_recall_at_k(const Input& predictions, const Input& labels, std::int64_t k,
                             const MetricOptions& options, std::source_location at) {
  const MadeAt place(at);
  const Output hits = cast(math::in_top_k(predictions, labels, k), DType::f32);
  MetricOptions inner = options;
  if (inner.name.empty()) inner.name = at_k_name("recall", k);
  return mean(hits, inner);
}

Metric f1_score(const Input& labels, const Input& predictions, const AtRateOptions& options,
                std::source_location at) {
  const auto scope = open_scope(options.name, "f1", at);
  const AtThresholds counts = count_at_thresholds(
      labels, predictions, spread_thresholds(options.num_thresholds, kScoreEpsilon),
      options.weights, {kTruePositive, kFalsePositive, kFalseNegative});
  const auto rate = [&](const Input& tp, const Input& misses, const std::string& name) {
    const Output all = operators::add(operators::add(kScoreEpsilon, read(tp), at), misses, at);
    return div(tp, all, {.name = name});
  };
  const auto best = [&](const Input& tp, const Input& fp, const Input& fn, const char* name) {
    const Output precision = rate(tp, fp, str_cat("precision_", name));
    const Output recall = rate(tp, fn, str_cat("recall_", name));
    const Output product = operators::mul(operators::mul(2.0, precision, at), recall, at);
    const Output sum = operators::add(operators::add(precision, recall, at), kScoreEpsilon, at);
    return reduce_max(operators::truediv(product, sum, at));
  };
  const Counted &tp = counts[kTruePositive], &fp = counts[kFalsePositive],
                &fn = counts[kFalseNegative];
  const Output value = best(tp.value, fp.value, fn.value, "value");
  return collected(value, best(tp.update, fp.update, fn.update, "update_op"), options);
}

Metric streaming_covariance(const Input& given_predictions, const Input& given_labels,
                            const MetricOptions& options, std::source_location at) {
  const auto scope = open_scope(options.name, "covariance", at);
  const WeightedPair pair = weighted_pair(given_predictions, given_labels, options.weights);
  const Output number = pair.count();
  const Counted total = rill::metrics::count(metric_variable({}, DType::f32, "count"), number);
  const Output before = operators::sub(read(total.update), number, at);
  const RunningMean predictions("mean_prediction", pair.sum(pair.predictions), number,
                                total.update);
  const RunningMean labels("mean_label", pair.sum(pair.labels), number, total.update);
  const Output distance = operators::sub(pair.predictions, predictions.batch, at);
  const Output batch =
      pair.sum(operators::mul(distance, operators::sub(pair.labels, labels.batch, at), at));
  // The two batches as one: each by itself, and the distance between their means.
  const Output predictions_apart = operators::sub(predictions.before, predictions.batch, at);
  const Output apart =
      operators::mul(predictions_apart, operators::sub(labels.before, labels.batch, at), at);
  const Output weight = safe_ratio(operators::mul(before, number, at), total.update);
  const Variable comoment = metric_variable({}, DType::f32, "comoment");
  const Counted counted =
      rill::metrics::count(comoment, operators::add(batch, operators::mul(apart, weight, at), at));
  const Output value = covariance_of(counted.value, total.value, "covariance");
  return collected(value, covariance_of(counted.update, total.update, "update_op"), options);
}

Metric streaming_pearson_correlation(const Input& predictions, const Input& labels,
                                     const MetricOptions& options, std::source_location at) {
  const auto scope = open_scope(options.name, "pearson_r", at);
  const auto covariance = [&](const Input& x, const Input& y, const char* name) {
    return streaming_covariance(x, y, {.weights = options.weights, .name = name});
  };
  const Metric both = covariance(predictions, labels, "covariance");
  const Metric x = covariance(predictions, predictions, "variance_predictions");
  const Metric y = covariance(labels, labels, "variance_labels");
  const auto correlation = [&](Output c, Output vx, Output vy, const char* name) {
    const Output deviation = raw::Sqrt(vx);
    return rill::truediv(c, raw::Mul(deviation, raw::Sqrt(vy)), {.name = name});
  };
  const Output value = correlation(both.value, x.value, y.value, "pearson_r");
  return collected(value, correlation(both.update_op, x.update_op, y.update_op, "update_op"),
                   options);
}

}  // namespace rill::contrib::metrics
