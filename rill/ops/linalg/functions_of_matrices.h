#pragma once

#include <complex>
#include <cstdint>
#include <vector>

namespace rill {

// Functions of single n x n matrices, row by row; everything is NaN where there is no value.

using RealMatrix = std::vector<double>;
using ComplexMatrix = std::vector<std::complex<double>>;

// By Pade's approximation, scaling and squaring.
RealMatrix exponential(const RealMatrix& a, std::int64_t n);
ComplexMatrix exponential(const ComplexMatrix& a, std::int64_t n);

// Both by Schur's decomposition.
ComplexMatrix square_root(const ComplexMatrix& a, std::int64_t n);
ComplexMatrix logarithm(const ComplexMatrix& a, std::int64_t n);
// Of a real matrix, which has a real root unless an eigenvalue is negative.
RealMatrix square_root(const RealMatrix& a, std::int64_t n);

}  // namespace rill
