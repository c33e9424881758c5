#pragma once

#include <cstdint>

namespace rill {

// Loops over n channels of one pixel, compiled for each instruction set.
template <class T>
struct PoolRows {
  // best[i] = x[i], and places[i] = pixel, where x[i] is larger.
  void (*take_larger)(const T* x, std::int32_t pixel, T* best, std::int32_t* places,
                      std::int64_t n);
  void (*keep_larger)(const T* x, T* best, std::int64_t n);
  void (*add)(const T* x, T* sum, std::int64_t n);
  void (*add_scaled)(const T* x, T factor, T* sum, std::int64_t n);  // sum[i] += x[i] * factor
  void (*divide)(T count, T* sum, std::int64_t n);                   // sum[i] /= count
};

template <class T>
PoolRows<T> find_pool_rows();  // of float or double
template <>
PoolRows<float> find_pool_rows();
template <>
PoolRows<double> find_pool_rows();

}  // namespace rill
