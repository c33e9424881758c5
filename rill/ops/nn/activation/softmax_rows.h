#pragma once

#include <cstddef>

namespace rill {

// log(softmax(x)) is (x - shift) - log_sum; kept apart, since their sum loses digits for large
// logits.
template <class T>
struct Normalizer {
  T shift, log_sum;
};

// Rows of n logits each, one after the other; `out` may be `x`.
template <class T>
struct SoftmaxRows {
  void (*softmax)(T* out, const T* x, std::size_t rows, std::size_t n);
  void (*log_softmax)(T* out, const T* x, std::size_t rows, std::size_t n);
  // The softmax of each row, and what led to it.
  void (*normalize)(T* out, Normalizer<T>* found, const T* x, std::size_t rows, std::size_t n);
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
