#pragma once

#include <limits>

#include "rill/ops/math/rows/elementwise.h"

namespace rill {

inline constexpr TypeSet kDoubleRowTypes = DType::f32 | DType::f64;

// Rows of functions that are written for double and take, last, the relative error they may stop
// at: floats are computed there too, with a few digits to spare, and rounded once.
template <class T>
inline constexpr double kStopAt = static_cast<double>(std::numeric_limits<T>::epsilon()) /
                                  (std::is_same_v<T, float> ? 32 : 1);

template <class T, double (*f)(double, double)>
void double_unary_row(void* out, const void* x, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    static_cast<T*>(out)[i] = static_cast<T>(f(static_cast<const T*>(x)[i], kStopAt<T>));
}
template <class T, double (*f)(double, double, double)>
void double_binary_row(void* out, const void* x, const void* y, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    static_cast<T*>(out)[i] =
        static_cast<T>(f(static_cast<const T*>(x)[i], static_cast<const T*>(y)[i], kStopAt<T>));
}

template <double (*f)(double, double), int cost>
UnaryRows find_double_unary(DType type) {
  if (type == DType::f32) return {double_unary_row<float, f>, cost};
  if (type == DType::f64) return {double_unary_row<double, f>, 2 * cost};
  return {};
}
template <double (*f)(double, double, double), int cost>
BinaryRows find_double_binary(DType type) {
  if (type == DType::f32) return {.both = double_binary_row<float, f>, .cost = cost};
  if (type == DType::f64) return {.both = double_binary_row<double, f>, .cost = 2 * cost};
  return {};
}

}  // namespace rill
