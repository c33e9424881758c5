#pragma once

// For tests alone.
#include <random>

#include "rill/tensor/tensor.h"

namespace rill {

// Floats of [low, high).
inline Tensor random_floats(Shape shape, unsigned seed, float low = -8, float high = 8) {
  Tensor t(DType::f32, std::move(shape));
  std::mt19937 bits(seed);
  for (float& x : t.flat<float>())
    x = low + (high - low) * static_cast<float>(bits()) / 4294967296.0f;
  return t;
}

}  // namespace rill
