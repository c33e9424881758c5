#pragma once

#include <memory>

#include "rill/api/metrics/metrics.h"
#include "rill/api/variables/variable.h"
#include "rill/api/variables/variable_scope.h"

namespace rill::metrics {

// What the functions of this folder are made of. All build in current_scope().

// The variable scope of one metric: `name`, or one called after `otherwise`.
std::unique_ptr<VariableScopeBlock> open_scope(const std::string& name, const char* otherwise,
                                               std::source_location at);

// What was counted: as it stands, and after this step.
struct Counted {
  Input value, update;
  Output update_op = {};
};
Counted count(const Variable& variable, const Input& increase, const std::string& name = {});
// What a write of the variable left, for those who read it afterwards.
Input written(const Variable& variable, Output result);

// The variable, read by itself.
inline Output read(const Input& variable) { return as_tensor(variable); }

// Predictions, labels and weights without last dimensions of size 1 that the others do not have.
struct Sides {
  Output predictions = {}, labels = {};
  OptionalInput weights = {};
};
Sides alike(const Input& predictions, const OptionalInput& labels, const OptionalInput& weights);

void require_compatible(Output x, Output y);

Metric in_collections(Metric metric, const std::vector<std::string>& metrics_collections,
                      const std::vector<std::string>& updates_collections);
// A metric whose tensors are in the collections that the options say.
template <class Options>
Metric collected(Output value, Output update_op, const Options& options) {
  return in_collections({value, update_op}, options.metrics_collections,
                        options.updates_collections);
}

// The options without collections, under another name where they have none.
inline MetricOptions uncollected(const OptionalInput& weights, const std::string& name,
                                 const char* otherwise) {
  return {.weights = weights, .name = name.empty() ? otherwise : name};
}

// What is counted of truth values at thresholds.
enum Outcome { kTruePositive, kFalseNegative, kTrueNegative, kFalsePositive, kOutcomeCount };
struct AtThresholds {
  std::optional<Counted> counts[kOutcomeCount];
  const Counted& operator[](Outcome outcome) const { return *counts[outcome]; }
};
AtThresholds count_at_thresholds(const Input& labels, const Input& predictions,
                                 const Thresholds& thresholds, const OptionalInput& weights,
                                 std::initializer_list<Outcome> wanted);
// From below 0 to 1 + `above`, in equal steps.
Thresholds spread_thresholds(std::int64_t count, double above);

}  // namespace rill::metrics
