#pragma once

#include <source_location>
#include <string>

#include "rill/api/core/default_graph.h"

namespace rill {

struct LabelsAndPredictions {
  Output labels = {}, predictions = {};
};
struct RemoveSqueezableOptions {
  int expected_rank_diff = 0;  // how many dimensions predictions have more than labels
  std::string name{};
};
// Labels or predictions without their last dimension where that is of size 1 and one too many;
// decided in the step where a rank is not known.
LabelsAndPredictions remove_squeezable_dimensions(
    const Input& labels, const Input& predictions, const RemoveSqueezableOptions& options = {},
    std::source_location at = std::source_location::current());

// Whether the last dimension is, or may turn out to be, of size 1.
bool may_end_with_one(const PartialShape& shape);
// Without the last dimension.
Output without_last(const Input& x);

}  // namespace rill
