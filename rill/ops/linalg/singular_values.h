#pragma once

#include <cstdint>

namespace rill {

// Descending singular values of a row-major m x n matrix of finite numbers, m and n positive, by
// the calling thread. Without vectors there are no signs to share with TensorFlow, and two steps
// do: the matrix is turned into one of two diagonals, whose values are then found all at once by
// bisection. Their errors are those of rounding the matrix; below 2^-100 of its greatest element a
// value is 0.
void singular_values(const float* a, std::int64_t m, std::int64_t n, float* s);
void singular_values(const double* a, std::int64_t m, std::int64_t n, double* s);

}  // namespace rill
