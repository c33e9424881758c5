#pragma once

#include <cstddef>

namespace rill {

// What rows of numbers are normalised with: for each column.
template <class T>
struct ColumnScale {
  const T *mean, *slope, *offset;
};

// Loops of batch normalisation over a block of rows. Vectors have an element for each column;
// results may take the place of the blocks they are computed from.
template <class T>
struct BatchNormRows {
  // The mean of each column and the sum of squared differences from it.
  void (*moments)(T* mean, T* squares, const T* x, std::size_t rows, std::size_t width);
  // sum = sum of dy, product = sum of dy (x - mean).
  void (*sums)(T* sum, T* product, const T* dy, const T* x, const T* mean, std::size_t rows,
               std::size_t width);
  // y = (x - mean) slope + offset.
  void (*normalize)(T* y, const T* x, const ColumnScale<T>& by, std::size_t rows,
                    std::size_t width);
  // dx = (dy - offset - (x - mean) tilt) slope.
  void (*back)(T* dx, const T* dy, const T* x, const ColumnScale<T>& by, const T* tilt,
               std::size_t rows, std::size_t width);
  // y = y + side, if there is one, then what is below zero becomes zero if `relu`.
  void (*finish)(T* y, const T* side, bool relu, std::size_t n);
};

template <class T>
const BatchNormRows<T>& batch_norm_rows();  // of float and double

}  // namespace rill
