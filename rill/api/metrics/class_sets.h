#pragma once

#include "rill/api/metrics/parts.h"

namespace rill::metrics {

// Sets of classes: those that an example has, and those that were predicted for it.

// "precision_at_5_class3"
std::string at_k_name(const char* name, std::optional<std::int64_t> k,
                      std::optional<std::int64_t> class_id = {});

// Labels with a last dimension, which single labels lack. Throws InvalidArgument where the ranks
// do not fit.
Labels with_last_dimension(const Labels& labels, Output predictions);
// Numbers that no class has become -1.
Labels without_unknown(const Labels& labels, Output num_classes);
// Each example's labels `multiple` times, along a new dimension at `dim`.
Labels expand_and_tile(const Labels& labels, std::int64_t multiple, int dim, const char* name);
// How many labels each example has, at most k.
Output num_relevant(const Labels& labels, std::int64_t k);

// What is counted of one example's sets.
enum class SetCount { kTruePositive, kFalsePositive, kFalseNegative };
struct SetCountOptions {
  std::optional<std::int64_t> k = {}, class_id = {};
  OptionalInput weights = {};
  std::string name = {};
};
// For each example, as float64.
Output count_sets(SetCount what, const Labels& labels, const Input& predictions,
                  const SetCountOptions& options);

// The mean over all examples of the average precision of the classes `indices`; the update takes
// the block's name.
Metric average_precision_of(const Labels& labels, Output indices, const MetricOptions& options,
                            const Block& in);

}  // namespace rill::metrics
