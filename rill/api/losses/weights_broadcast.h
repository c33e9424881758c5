#pragma once

#include <source_location>

#include "rill/api/core/default_graph.h"

namespace rill {

// Weights of losses and metrics: a scalar, or of the rank of the values with each dimension 1 or
// that of the values.

// An operation that fails the step unless the weights fit. Throws InvalidArgument at once where
// the shapes tell that they do not.
Node& assert_broadcastable(const Input& weights, const Input& values,
                           std::source_location at = std::source_location::current());
// The weights in the shape and type of the values.
Output broadcast_weights(const Input& weights, const Input& values,
                         std::source_location at = std::source_location::current());
// Weights of the first dimensions of values of that rank, as weights with all of them: those of
// tf.contrib.losses. A scalar stays one.
Output weights_of_rank(const Input& weights, int rank,
                       std::source_location at = std::source_location::current());

}  // namespace rill
