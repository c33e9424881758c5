#pragma once

// For tests and cases alone.
#include <random>

#include "rill/tensor/tensor.h"

namespace rill {

// The vector that an op takes for a shape.
inline Tensor shape_vector(const Shape& shape) {
  Tensor t(DType::i32, {shape.rank()});
  for (int d = 0; d < shape.rank(); ++d)
    t.data<std::int32_t>()[d] = static_cast<std::int32_t>(shape.dim(d));
  return t;
}

// From -4 to 4: sums of their products are exact, and many are equal.
template <class T>
Tensor small_integers(const Shape& shape, unsigned seed) {
  Tensor t(dtype_of<T>, shape);
  std::mt19937 bits(seed);
  for (T& x : t.flat<T>()) x = static_cast<T>(static_cast<int>(bits() % 9) - 4);
  return t;
}

}  // namespace rill
