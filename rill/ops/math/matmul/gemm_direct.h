#pragma once

#include <cstdint>

#include "rill/ops/math/matmul/gemm.h"

namespace rill {

// Products without packing, of float or double, on the calling thread. Every result is the same
// whatever else is computed with it.
template <class T>
struct DirectProducts {
  // y[i] = the product of row i of a matrix and x, for `rows` rows of k elements.
  void (*dots)(const T* matrix, std::int64_t rows, std::int64_t k, const T* x, T* y);
  // y = the sum of x[d] times row d of a matrix whose rows lie `stride` apart, for `columns`.
  void (*sums)(const T* matrix, std::int64_t stride, std::int64_t k, const T* x,
               std::int64_t columns, T* y);
  // C = op(A) B, where B is not transposed: for factors that stay in the first-level cache.
  void (*small)(const Product& product, const T* b);
};

template <class T>
const DirectProducts<T>& direct_products();
template <>
const DirectProducts<float>& direct_products<float>();
template <>
const DirectProducts<double>& direct_products<double>();

}  // namespace rill
