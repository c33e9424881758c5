#pragma once

#include <optional>
#include <source_location>

#include "rill/api/core/default_graph.h"

namespace rill::nn {

struct AverageLossOptions {
  OptionalInput sample_weight{};      // of each example
  OptionalInput global_batch_size{};  // how many examples there are
};
// The sum of losses, each times its weight, over the number of examples of the whole batch: the
// first dimension of the losses where global_batch_size is absent. With replicas, each computes its
// part of a mean over all. Throws InvalidArgument for a scalar.
Output compute_average_loss(const Input& per_example_loss, const AverageLossOptions& options = {},
                            std::source_location at = std::source_location::current());
// The sum over the number of replicas, which is one.
Output scale_regularization_loss(const Input& regularization_loss,
                                 std::source_location at = std::source_location::current());

}  // namespace rill::nn
