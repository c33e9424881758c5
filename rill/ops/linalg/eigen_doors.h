#pragma once

#include <complex>
#include <cstdint>

namespace rill {

// The instruction sets that Eigen is compiled for. With AVX its sums are split as in
// TensorFlow's packages, so that results for real matrices have the same bits as there.
struct AnyX86;
struct Avx;

inline bool has_avx() { return __builtin_cpu_supports("avx") != 0; }

// Decompositions of single row-major matrices by Eigen, for the types of kMatrixTypes. Numbers must
// be finite and sizes positive.

// A = Q R for an m x n matrix: Q is m x k, R is k x n, where k is m (full), or the lesser of m and
// n.
template <class Isa, class T>
void eigen_qr_on(const T* a, std::int64_t m, std::int64_t n, bool full, T* q, T* r);

template <class T>
void eigen_qr(const T* a, std::int64_t m, std::int64_t n, bool full, T* q, T* r) {
  return has_avx() ? eigen_qr_on<Avx>(a, m, n, full, q, r)
                   : eigen_qr_on<AnyX86>(a, m, n, full, q, r);
}

// Ascending eigenvalues of a Hermitian n x n matrix, whose lower triangle is read, and, where v is
// given, unit eigenvectors in its columns. False when the iteration does not converge.
template <class Isa, class T>
bool eigen_self_adjoint_on(const T* a, std::int64_t n, T* values, T* v);

template <class T>
bool eigen_self_adjoint(const T* a, std::int64_t n, T* values, T* v) {
  return has_avx() ? eigen_self_adjoint_on<Avx>(a, n, values, v)
                   : eigen_self_adjoint_on<AnyX86>(a, n, values, v);
}

// A = U diag(s) V*: descending singular values and, where u and v are given, both sets of
// vectors: all (full), or as many as there are values.
template <class Isa, class T>
void eigen_svd_on(const T* a, std::int64_t m, std::int64_t n, bool full, T* s, T* u, T* v);

template <class T>
void eigen_svd(const T* a, std::int64_t m, std::int64_t n, bool full, T* s, T* u, T* v) {
  return has_avx() ? eigen_svd_on<Avx>(a, m, n, full, s, u, v)
                   : eigen_svd_on<AnyX86>(a, m, n, full, s, u, v);
}

// The X of least norm among those that minimise |A X - B|; for double and complex128.
// Singular values below `epsilon` times the number of columns count as zero.
template <class T>
void eigen_least_squares(const T* a, std::int64_t m, std::int64_t n, const T* b,
                         std::int64_t columns, double epsilon, T* x);

// A = U T U* with T upper triangular. False when the iteration does not converge.
bool eigen_schur(const std::complex<double>* a, std::int64_t n, std::complex<double>* u,
                 std::complex<double>* t);

}  // namespace rill
