#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <vector>

#include "rill/ops/linalg/dense.h"

namespace rill {

// A square matrix of double or complex128 with its own storage, for functions of matrices.
template <class T>
struct SmallMatrix {
  explicit SmallMatrix(std::int64_t n) : values(static_cast<std::size_t>(n * n)), n_(n) {}
  SmallMatrix(std::int64_t n, std::vector<T> all) : values(std::move(all)), n_(n) {}
  static SmallMatrix nan(std::int64_t n) {
    SmallMatrix result(n);
    std::fill(result.values.begin(), result.values.end(),
              T(std::numeric_limits<double>::quiet_NaN()));
    return result;
  }

  std::int64_t n() const { return n_; }
  T& at(std::int64_t i, std::int64_t j) { return values[static_cast<std::size_t>(i * n_ + j)]; }
  const T& at(std::int64_t i, std::int64_t j) const {
    return values[static_cast<std::size_t>(i * n_ + j)];
  }
  void add_to_diagonal(T number) {
    for (std::int64_t i = 0; i < n_; ++i) at(i, i) += number;
  }
  // NaN where an element is.
  double largest_column_sum() const {
    double largest = 0;
    for (std::int64_t j = 0; j < n_; ++j) {
      double sum = 0;
      for (std::int64_t i = 0; i < n_; ++i) sum += std::abs(at(i, j));
      if (!(sum <= largest)) largest = sum;
      if (std::isnan(sum)) return sum;
    }
    return largest;
  }

  std::vector<T> values;

 private:
  std::int64_t n_;
};

template <class T>
const Dense& dense_for() {
  return dense(std::is_same_v<T, double> ? DType::f64 : DType::c128);
}

template <class T>
SmallMatrix<T> operator*(const SmallMatrix<T>& a, const SmallMatrix<T>& b) {
  const std::int64_t n = a.n();
  SmallMatrix<T> product(n);
  dense_for<T>().subtract_product(
      {n, n, n, a.values.data(), b.values.data(), product.values.data(), n, n, n});
  for (T& value : product.values) value = -value;
  return product;
}

// a^-1 b
template <class T>
SmallMatrix<T> solved(SmallMatrix<T> a, const SmallMatrix<T>& b) {
  const std::int64_t n = a.n();
  std::vector<std::int64_t> order(static_cast<std::size_t>(n));
  (void)dense_for<T>().lu(a.values.data(), n, order.data());
  SmallMatrix<T> x(n);
  for (std::int64_t i = 0; i < n; ++i)
    std::copy_n(&b.at(order[static_cast<std::size_t>(i)], 0), n, &x.at(i, 0));
  dense_for<T>().solve_triangular({n, n, a.values.data(), x.values.data(), n, n, true, true});
  dense_for<T>().solve_triangular({n, n, a.values.data(), x.values.data(), n, n, false});
  return x;
}

}  // namespace rill
