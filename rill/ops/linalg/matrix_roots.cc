#include "rill/ops/linalg/eigen_doors.h"
#include "rill/ops/linalg/functions_of_matrices.h"
#include "rill/ops/linalg/small_matrix.h"

namespace rill {
namespace {

using Complex = std::complex<double>;
using Matrix = SmallMatrix<Complex>;

// A = U T U* with an upper triangular T.
struct Schur {
  Schur(const ComplexMatrix& a, std::int64_t n) : u(n), t(n) {
    bool finite = true;
    for (const Complex& x : a) finite &= std::isfinite(x.real()) && std::isfinite(x.imag());
    found = finite && eigen_schur(a.data(), n, u.values.data(), t.values.data());
  }
  // U F U*
  Matrix back(const Matrix& f) const {
    const std::int64_t n = u.n();
    const Matrix left = u * f;
    Matrix result(n);
    dense(DType::c128)
        .subtract_product(
            {n, n, n, left.values.data(), u.values.data(), result.values.data(), n, n, n, true});
    for (Complex& value : result.values) value = -value;
    return result;
  }

  Matrix u, t;
  bool found = false;
};

// The plain formula where it neither overflows nor underflows; the library's takes ten times as
// long.
Complex quotient(Complex a, Complex b) {
  const double square = b.real() * b.real() + b.imag() * b.imag();
  if (!(square > 1e-280 && square < 1e280)) return a / b;
  const double re = b.real() / square, im = -b.imag() / square;
  return {a.real() * re - a.imag() * im, a.real() * im + a.imag() * re};
}

// Of an upper triangular matrix, column by column.
Matrix triangular_root(const Matrix& t) {
  const std::int64_t n = t.n();
  Matrix root(n);
  std::vector<Complex> column(static_cast<std::size_t>(n));
  for (std::int64_t j = 0; j < n; ++j) {
    root.at(j, j) = std::sqrt(t.at(j, j));
    for (std::int64_t i = j - 1; i >= 0; --i) {
      double re = t.at(i, j).real(), im = t.at(i, j).imag();
      for (std::int64_t k = i + 1; k < j; ++k) {
        const Complex a = root.at(i, k), b = column[static_cast<std::size_t>(k)];
        re -= a.real() * b.real() - a.imag() * b.imag();
        im -= a.real() * b.imag() + a.imag() * b.real();
      }
      root.at(i, j) = quotient({re, im}, root.at(i, i) + root.at(j, j));
      column[static_cast<std::size_t>(i)] = root.at(i, j);
    }
  }
  return root;
}

// Gauss and Legendre's nodes and weights on [0, 1]. With seven of them, log(1 + e) is exact to the
// last digits for |e| up to kQuadratureReach.
struct QuadratureNode {
  double at, weight;
};
constexpr QuadratureNode kQuadratureNodes[] = {
    {0.025446043828620757, 0.06474248308443485}, {0.12923440720030277, 0.1398526957446383},
    {0.2970774243113014, 0.19091502525255946},   {0.5, 0.20897959183673470},
    {0.7029225756886985, 0.19091502525255946},   {0.8707655927996972, 0.1398526957446383},
    {0.9745539561713792, 0.06474248308443485}};
constexpr double kQuadratureReach = 0.25;
constexpr int kMaxRoots = 100;  // halves any exponent; what is still far from one is singular

// log(1 + e) = sum of weight * e (1 + at * e)^-1, for an upper triangular e.
Matrix log_near_one(const Matrix& e) {
  const std::int64_t n = e.n();
  Matrix sum(n);
  for (const QuadratureNode& node : kQuadratureNodes) {
    Matrix divisor = e, solution = e;
    for (Complex& value : divisor.values) value *= node.at;
    divisor.add_to_diagonal(1);
    dense(DType::c128)
        .solve_triangular({n, n, divisor.values.data(), solution.values.data(), n, n, false});
    for (std::size_t i = 0; i < sum.values.size(); ++i)
      sum.values[i] += node.weight * solution.values[i];
  }
  return sum;
}

}  // namespace

ComplexMatrix square_root(const ComplexMatrix& a, std::int64_t n) {
  const Schur schur(a, n);
  if (!schur.found) return Matrix::nan(n).values;
  return schur.back(triangular_root(schur.t)).values;
}

RealMatrix square_root(const RealMatrix& a, std::int64_t n) {
  const Schur schur(ComplexMatrix(a.begin(), a.end()), n);
  RealMatrix result(a.size(), std::numeric_limits<double>::quiet_NaN());
  if (!schur.found) return result;
  const double noise = schur.t.largest_column_sum() * static_cast<double>(n) *
                       std::numeric_limits<double>::epsilon();
  for (std::int64_t i = 0; i < n; ++i) {
    const Complex eigenvalue = schur.t.at(i, i);
    if (eigenvalue.real() < -noise && std::abs(eigenvalue.imag()) <= noise) return result;
  }
  const Matrix root = schur.back(triangular_root(schur.t));
  std::transform(root.values.begin(), root.values.end(), result.begin(),
                 [](const Complex& x) { return x.real(); });
  return result;
}

ComplexMatrix logarithm(const ComplexMatrix& a, std::int64_t n) {
  const Schur schur(a, n);
  if (!schur.found) return Matrix::nan(n).values;
  Matrix near = schur.t;
  near.add_to_diagonal(-1);
  int roots = 0;
  for (Matrix root = schur.t; !(near.largest_column_sum() <= kQuadratureReach); ++roots) {
    if (roots == kMaxRoots || std::isnan(near.largest_column_sum())) return Matrix::nan(n).values;
    root = near = triangular_root(root);
    near.add_to_diagonal(-1);
  }
  Matrix result = log_near_one(near);
  for (Complex& value : result.values) value *= std::ldexp(1.0, roots);
  for (std::int64_t i = 0; i < n; ++i) result.at(i, i) = std::log(schur.t.at(i, i));
  return schur.back(result).values;
}

}  // namespace rill
