#pragma once

#include <cstddef>

namespace rill {

// How the channels of a pixel are normalised by their neighbours.
struct ResponseNorm {
  std::size_t radius;
  float bias, alpha, beta;
};

// Loops over the n channels of one pixel. `scratch` has n + 2 * radius elements, whatever they are.
struct LrnRows {
  void (*normalize)(float* y, const float* x, std::size_t n, const ResponseNorm& norm,
                    float* scratch);
  // dx from dy, x and y = normalize(x); `norms` has n elements, whatever they are.
  void (*back)(float* dx, const float* dy, const float* x, const float* y, std::size_t n,
               const ResponseNorm& norm, float* scratch, float* norms);
};

const LrnRows& lrn_rows();

}  // namespace rill
