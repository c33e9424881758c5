#pragma once

#include "rill/ops/linalg/matrices.h"
#include "tests/optest/op_case.h"

namespace rill {

inline constexpr DType kCaseTypes[] = {DType::f32, DType::f64, DType::c64, DType::c128};

// How well decompositions of small matrices agree.
inline double loose(DType type) { return type == DType::f32 || type == DType::c64 ? 2e-4 : 1e-9; }
inline double loose_absolute(DType type) {
  return type == DType::f32 || type == DType::c64 ? 2e-5 : 1e-11;
}

// X X* + rows * I of a random X: positive definite.
inline Tensor positive_definite(DType type, const Shape& shape, std::uint64_t seed) {
  const Tensor x = random(type, shape, seed), out(type, shape);
  const Matrices m(x);
  visit_matrix_type(type, [&]<class T>() {
    for (std::int64_t b = 0; b < m.count; ++b) {
      const T* const from = x.data<T>() + b * m.size();
      T* const to = out.data<T>() + b * m.size();
      for (std::int64_t i = 0; i < m.rows; ++i)
        for (std::int64_t j = 0; j < m.rows; ++j) {
          T sum = i == j ? T(m.rows) : T(0);
          for (std::int64_t k = 0; k < m.columns; ++k)
            sum += from[i * m.columns + k] * conjugated(from[j * m.columns + k]);
          to[i * m.rows + j] = sum;
        }
    }
  });
  return out;
}

// A random matrix with `added` on the diagonal: far from singular when that is large.
inline Tensor with_diagonal(DType type, const Shape& shape, std::uint64_t seed, double added) {
  Tensor x = random(type, shape, seed);
  const Matrices m(x);
  visit_matrix_type(type, [&]<class T>() {
    for (std::int64_t b = 0; b < m.count; ++b)
      for (std::int64_t i = 0; i < std::min(m.rows, m.columns); ++i)
        x.data<T>()[b * m.size() + i * m.columns + i] += T(added);
  });
  return x;
}

}  // namespace rill
