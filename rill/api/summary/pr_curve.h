#pragma once

#include <cstdint>
#include <optional>
#include <source_location>
#include <string>

#include "rill/api/summary/summary.h"

namespace rill::summaries {

struct PrCurveOptions {
  std::int64_t num_thresholds = 201;  // evenly from 0 to 1; at least 2
  OptionalInput weights{};            // of each prediction; 1
  std::string display_name{};         // the name
  std::string description{};          // Markdown
  InCollections collections{};
};
// Precision and recall of predictions between 0 and 1 against boolean labels, for TensorBoard's PR
// curves: a summary of true and false positives, true and false negatives, precision and recall at
// each threshold. Throws a type error unless the labels are boolean.
Output pr_curve(const std::string& name, const Input& labels, const Input& predictions,
                const PrCurveOptions& options = {},
                std::source_location at = std::source_location::current());

}  // namespace rill::summaries
