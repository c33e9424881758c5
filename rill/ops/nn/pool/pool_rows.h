#pragma once

#include <cstdint>
#include <type_traits>

namespace rill {

// The pixels of one window: the first one, and how many follow along each dimension, how far apart.
struct PoolWindow {
  std::int64_t first, count[3], step[3];
};

// Numbers of a window's pixels, as wide as its elements.
template <class T>
using PoolTap = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;

// Loops over n channels of one pixel or of all pixels of a window, whose channels are `channels`
// apart; compiled for each instruction set.
template <class T>
struct PoolRows {
  // best[i] = the largest of the window, the first of them where it has none that compares.
  void (*largest)(const T* x, const PoolWindow& window, std::int64_t channels, T* best,
                  std::int64_t n);
  // The same, and tap[i] = which pixel of the window, in the order of memory, is the first such.
  void (*find_largest)(const T* x, const PoolWindow& window, std::int64_t channels, T* best,
                       PoolTap<T>* tap, std::int64_t n);
  // dx[i] += dy[i] at the first largest pixel; all others stay. Where dx is not given a value
  // before, `sets`: the largest gets dy, the others zero.
  void (*add_to_largest)(const T* x, const PoolWindow& window, std::int64_t channels, const T* dy,
                         T* dx, std::int64_t n, bool sets);
  // mean[i] = the sum of the window, in the order of memory, divided by the number of its pixels.
  void (*average)(const T* x, const PoolWindow& window, std::int64_t channels, T* mean,
                  std::int64_t n);
  // sums[i] += x[i] * factor, at every pixel of the window.
  void (*add_scaled)(const T* x, T factor, const PoolWindow& window, std::int64_t channels, T* sums,
                     std::int64_t n);
};

template <class T>
PoolRows<T> find_pool_rows();  // of float or double
template <>
PoolRows<float> find_pool_rows();
template <>
PoolRows<double> find_pool_rows();

}  // namespace rill
