#pragma once

#include <cstddef>

namespace rill {

struct LayerNormRows {
  // One row: y = (x - mean) / sqrt(variance + epsilon) gamma + beta. y may be x, gamma or beta.
  void (*normalize)(float* y, const float* x, const float* gamma, const float* beta, std::size_t n,
                    float epsilon);
  // y = x scale + mask; without mask when it is nullptr. y may be x.
  void (*scale)(float* y, const float* x, const float* mask, float scale, std::size_t n);
};
const LayerNormRows& layer_norm_rows();

}  // namespace rill
