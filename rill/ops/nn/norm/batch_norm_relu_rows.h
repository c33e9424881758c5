#pragma once

#include "rill/ops/nn/channels/batch_norm_rows.h"

namespace rill {

// Loops of the gradient of Relu(batch norm of x) or Relu6 of it, over a block of rows. What passed
// is found by computing y = (x - mean) slope + offset again, in the bits that it had: `by` holds
// what it was normalised with. dx may be dy or x.
struct BatchNormReluRows {
  // sum = sum of what passes of dy, product = sum of that times (x - mean).
  void (*sums)(float* sum, float* product, const float* dy, const float* x,
               const ColumnScale<float>& by, std::size_t rows, std::size_t width);
  // dx = (what passes of dy - shift - (x - mean) tilt) slope.
  void (*back)(float* dx, const float* dy, const float* x, const ColumnScale<float>& by,
               const float* shift, const float* tilt, std::size_t rows, std::size_t width);
};
// Of Relu6 or of Relu.
const BatchNormReluRows& batch_norm_relu_rows(bool six);

}  // namespace rill
