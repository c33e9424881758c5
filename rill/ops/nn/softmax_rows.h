#pragma once

#include <cstddef>

namespace rill {

// One row of logits at a time; `out` may be `x`.
template <class T>
struct SoftmaxRows {
  void (*softmax)(T* out, const T* x, std::size_t n);
  void (*log_softmax)(T* out, const T* x, std::size_t n);
  // Writes the softmax to `out` and returns log(sum(exp(x))).
  T (*normalize)(T* out, const T* x, std::size_t n);
};

SoftmaxRows<float> float_softmax_rows();
SoftmaxRows<double> double_softmax_rows();

template <class T>
SoftmaxRows<T> find_softmax_rows();
template <>
inline SoftmaxRows<float> find_softmax_rows<float>() {
  return float_softmax_rows();
}
template <>
inline SoftmaxRows<double> find_softmax_rows<double>() {
  return double_softmax_rows();
}

}  // namespace rill
