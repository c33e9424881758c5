#pragma once

#include "rill/graph/kernel_work.h"

namespace rill {

// Rows times a matrix of weights.
inline double weight_flops(double row_count, const TensorSize& weights) {
  return 2 * row_count * weights.elements();
}

// A product for the gates, whose columns are squashed.
inline double gate_flops(double row_count, const TensorSize& weights) {
  return weight_flops(row_count, weights) +
         kTranscendental * row_count * last_dim(weights.shape, 0);
}

}  // namespace rill
