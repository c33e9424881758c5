#include <algorithm>

#include "rill/api/array/shapes.h"
#include "rill/api/core/slicing.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/arithmetic.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/reduce.h"
#include "rill/api/math/search.h"
#include "rill/api/metrics/parts.h"
#include "rill/base/log.h"

namespace rill::metrics {
namespace {

using namespace operators;

constexpr double kRateEpsilon = 1e-6, kSmallEpsilon = 1e-7;

// The four counts as a function of them takes them: as they stand, or after this step.
struct Counts {
  Input tp, fn, tn, fp;
};
Counts values_of(const AtThresholds& at) {
  return {at[kTruePositive].value, at[kFalseNegative].value, at[kTrueNegative].value,
          at[kFalsePositive].value};
}
Counts updates_of(const AtThresholds& at) {
  return {at[kTruePositive].update, at[kFalseNegative].update, at[kTrueNegative].update,
          at[kFalsePositive].update};
}

AtThresholds count_all_outcomes(const Input& labels, const Input& predictions,
                                const Thresholds& thresholds, const OptionalInput& weights) {
  return count_at_thresholds(labels, predictions, thresholds, weights,
                             {kTruePositive, kFalseNegative, kTrueNegative, kFalsePositive});
}

// The area under a curve of `count` points.
struct Area {
  std::int64_t count;
  const AucOptions& options;
  std::source_location at;

  Output head(const Input& x) const { return slice(read(x), {SliceRange{.stop = count - 1}}); }
  Output tail(const Input& x) const { return slice(read(x), {SliceRange{.start = 1}}); }
  Output drop(const Input& x) const {
    const Output before = head(x);
    return sub(before, tail(x), at);
  }
  // x + y + epsilon
  Output padded(const Input& x, const Input& y) const {
    return add(add(read(x), y, at), kRateEpsilon, at);
  }

  // Precision between points follows the counts, not a line.
  Output interpolated(const Counts& c) const {
    const Output dtp = drop(c.tp);
    const Output p = add(read(c.tp), c.fp, at);
    const Output slope = raw::DivNoNan(dtp, raw::Maximum(drop(p), 0), {.name = "prec_slope"});
    const Output after = tail(c.tp);
    const Output intercept = sub(after, raw::Mul(slope, tail(p)), at);
    const Output some_before = greater(head(p), 0, at);
    const Output some = raw::LogicalAnd(some_before, greater(tail(p), 0, at));
    const Output before = head(p);
    const Output ratio =
        raw::DivNoNan(before, raw::Maximum(tail(p), 0), {.name = "recall_relative_ratio"});
    const Output safe = raw::Select(some, ratio, ones_like(tail(p)));
    const Output area = mul(slope, add(dtp, mul(intercept, raw::Log(safe), at), at), at);
    const Output positives_hit = tail(c.tp);
    const Output positives = add(positives_hit, tail(c.fn), at);
    const Output increments =
        raw::DivNoNan(area, raw::Maximum(positives, 0), {.name = "pr_auc_increment"});
    return reduce_sum(increments, {.name = "interpolate_pr_auc"});
  }

  Output height(Output y) const {
    const Output before = head(y), after = tail(y);
    if (options.summation_method == "minoring") return raw::Minimum(before, after);
    if (options.summation_method == "majoring") return raw::Maximum(before, after);
    return truediv(add(before, after, at), 2.0, at);
  }

  Output operator()(const Counts& c, const char* name) const {
    const bool is_roc = options.curve == "ROC";
    if (!is_roc && options.summation_method == "careful_interpolation") return interpolated(c);
    const Output hits = add(read(c.tp), kRateEpsilon, at);
    const Output recalled = divide(hits, padded(c.tp, c.fn));
    Output x = recalled, y = recalled;
    if (is_roc) {
      x = divide(c.fp, padded(c.fp, c.tn));
    } else {
      const Output true_ones = add(read(c.tp), kRateEpsilon, at);
      y = divide(true_ones, padded(c.tp, c.fp));
    }
    const Output width = drop(x);
    return reduce_sum(raw::Mul(width, height(y)), {.name = name});
  }
};

void check(const AucOptions& options) {
  require(options.curve == "ROC" || options.curve == "PR", "Curve must be either ROC or PR. Curve ",
          options.curve, " is unknown.");
  constexpr const char* kMethods[] = {"trapezoidal", "careful_interpolation", "minoring",
                                      "majoring"};
  require(std::ranges::find(kMethods, options.summation_method) != std::end(kMethods),
          "Invalid summation_method: ", options.summation_method,
          " summation_method should be 'trapezoidal', 'careful_interpolation', 'minoring', or "
          "'majoring'.");
  if (options.curve == "PR" && options.summation_method == "trapezoidal")
    log(LogLevel::kWarning,
        "Trapezoidal rule is known to produce incorrect PR-AUCs; please switch to "
        "\"careful_interpolation\" instead.");
}

Thresholds thresholds_of(const AucOptions& options) {
  if (!options.thresholds) return spread_thresholds(options.num_thresholds, kSmallEpsilon);
  Thresholds thresholds = *options.thresholds;
  std::ranges::sort(thresholds);
  thresholds.insert(thresholds.begin(), 0.0 - kSmallEpsilon);
  thresholds.push_back(1.0 + kSmallEpsilon);
  return thresholds;
}

// x / (x + y + epsilon)
Output rate(const Input& x, const Input& y, std::source_location at) {
  return divide(x, add(add(read(x), y, at), kSmallEpsilon, at));
}

Output rate_at(const Input& x, const Input& y, Output index, const char* name,
               std::source_location at) {
  const auto item = [&](const Input& counts) { return slice(read(counts), {Input(index)}); };
  const Output above = item(x);
  const Output same = item(x);
  const Output below = add(add(same, item(y), at), kSmallEpsilon, at);
  return divide(above, below, {.name = name});
}

void check_rate(double value, const char* name) {
  require(value >= 0 && value <= 1, "`", name, "` must be in the range [0, 1].");
}

template <class Compute>
Metric at_rate(const char* name, double above, const Input& labels, const Input& predictions,
               const AtRateOptions& options, std::source_location at, Compute compute) {
  const auto scope = open_scope(options.name, name, at);
  const AtThresholds counts = count_all_outcomes(
      labels, predictions, spread_thresholds(options.num_thresholds, above), options.weights);
  const Output value = compute(values_of(counts), "value");
  return collected(value, compute(updates_of(counts), "update_op"), options);
}

}  // namespace

Metric auc(const Input& labels, const Input& predictions, const AucOptions& options,
           std::source_location at) {
  const auto scope = open_scope(options.name, "auc", at);
  check(options);
  const Thresholds thresholds = thresholds_of(options);
  const AtThresholds counts = count_all_outcomes(labels, predictions, thresholds, options.weights);
  const Area area{static_cast<std::int64_t>(thresholds.size()), options, at};
  const Output value = area(values_of(counts), "value");
  return collected(value, area(updates_of(counts), "update_op"), options);
}

Metric sensitivity_at_specificity(const Input& labels, const Input& predictions, double specificity,
                                  const AtRateOptions& options, std::source_location at) {
  check_rate(specificity, "specificity");
  const auto compute = [&](const Counts& c, const char* name) {
    const Output distance = abs(sub(rate(c.tn, c.fp, at), specificity, at));
    const Output index = cast(argmin(distance, {.axis = 0}), DType::i32);
    return rate_at(c.tp, c.fn, index, name, at);
  };
  return at_rate("sensitivity_at_specificity", kSmallEpsilon, labels, predictions, options, at,
                 compute);
}

Metric specificity_at_sensitivity(const Input& labels, const Input& predictions, double sensitivity,
                                  const AtRateOptions& options, std::source_location at) {
  check_rate(sensitivity, "sensitivity");
  const auto compute = [&](const Counts& c, const char* name) {
    const Output rates = rate(c.tp, c.fn, at);
    const auto distance = [&] { return abs(sub(rates, sensitivity, at)); };
    const Output least = reduce_min(distance());
    const Output is_least = cast(raw::Equal(distance(), least), DType::i64);
    // The last of those that are as near.
    const Output last = argmax(raw::Cumsum(is_least, 0), {.axis = 0});
    return rate_at(c.tn, c.fp, cast(last, DType::i32), name, at);
  };
  return at_rate("specificity_at_sensitivity", -kSmallEpsilon, labels, predictions, options, at,
                 compute);
}

}  // namespace rill::metrics
