#pragma once

#include <complex>
#include <cstdint>

namespace rill {

// Decompositions of single row-major matrices by Eigen, for the types of kMatrixTypes. Numbers must
// be finite and sizes positive.

// A = Q R for an m x n matrix; k is m, or the lesser of m and n: Q is m x k, R is k x n.
template <class T>
void eigen_qr(const T* a, std::int64_t m, std::int64_t n, std::int64_t k, T* q, T* r);

// Ascending eigenvalues of a Hermitian n x n matrix, whose lower triangle is read, and, where v is
// given, unit eigenvectors in its columns. False when the iteration does not converge.
template <class T>
bool eigen_self_adjoint(const T* a, std::int64_t n, T* values, T* v);

// A = U diag(s) V*: descending singular values and, where u and v are given, both sets of
// vectors: all (full), or as many as there are values.
template <class T>
void eigen_svd(const T* a, std::int64_t m, std::int64_t n, bool full, T* s, T* u, T* v);

// The X of least norm among those that minimise |A X - B|; for double and complex128.
// Singular values below `epsilon` times the number of columns count as zero.
template <class T>
void eigen_least_squares(const T* a, std::int64_t m, std::int64_t n, const T* b,
                         std::int64_t columns, double epsilon, T* x);

// A = U T U* with T upper triangular. False when the iteration does not converge.
bool eigen_schur(const std::complex<double>* a, std::int64_t n, std::complex<double>* u,
                 std::complex<double>* t);

}  // namespace rill
