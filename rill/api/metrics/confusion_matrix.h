#pragma once

#include <optional>
#include <source_location>
#include <string>

#include "rill/api/core/default_graph.h"

namespace rill {

// num_classes: one more than the largest number where absent. weights: what each pair counts.
struct ConfusionMatrixOptions {
  OptionalInput num_classes{};
  DType dtype = DType::i32;
  OptionalInput weights{};
  std::string name{};
};
// How often each label (row) was predicted as each class (column), in this step alone. Numbers that
// are negative, or not below num_classes, fail the step.
Output confusion_matrix(const Input& labels, const Input& predictions,
                        const ConfusionMatrixOptions& options = {},
                        std::source_location at = std::source_location::current());

namespace math {
using rill::confusion_matrix;
}  // namespace math

}  // namespace rill
