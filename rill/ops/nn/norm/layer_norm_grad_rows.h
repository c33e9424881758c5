#pragma once

#include <cstddef>

namespace rill {

struct LayerNormGradRows {
  // Rows of n: dx = dy through y = (x - mean) / sqrt(variance + epsilon) gamma + beta. Adds to
  // dgamma and dbeta. dx may be dy, x or (of one row) gamma.
  void (*back)(float* dx, float* dgamma, float* dbeta, const float* dy, const float* x,
               const float* gamma, std::size_t rows, std::size_t n, float epsilon);
  // Rows of n: dx = scale (dy - sum of dy y) y. dx may be dy or y.
  void (*softmax_back)(float* dx, const float* dy, const float* y, std::size_t rows, std::size_t n,
                       float scale);
  void (*add)(float* sum, const float* x, std::size_t n);
};
const LayerNormGradRows& layer_norm_grad_rows();

}  // namespace rill
