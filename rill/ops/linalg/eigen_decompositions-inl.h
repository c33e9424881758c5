// The decompositions of eigen_doors.h, for one type each in eigen_f32.cc, eigen_f64.cc,
// eigen_c64.cc and eigen_c128.cc.
#pragma once

#include "rill/ops/linalg/eigen-inl.h"

namespace rill {

template <class Isa, class T>
void eigen_qr_on(const T* a, std::int64_t m, std::int64_t n, bool full, T* q, T* r) {
  const std::int64_t k = full ? m : std::min(m, n);
  const Eigen::HouseholderQR<EigenMatrix<T>> qr(MatrixIn<T>(a, m, n));
  // Not simplified: the way Q is made, column by column or row by row, decides how it is rounded.
  if (full)
    MatrixOut<T>(q, m, k) = EigenMatrix<T>(qr.householderQ());
  else
    MatrixOut<T>(q, m, k) = qr.householderQ() * EigenMatrix<T>(EigenMatrix<T>::Identity(m, k));
  MatrixOut<T>(r, k, n) = qr.matrixQR().topRows(k).template triangularView<Eigen::Upper>();
}

template <class Isa, class T>
bool eigen_self_adjoint_on(const T* a, std::int64_t n, T* values, T* v) {
  const Eigen::SelfAdjointEigenSolver<EigenMatrix<T>> solver(
      MatrixIn<T>(a, n, n), v == nullptr ? Eigen::EigenvaluesOnly : Eigen::ComputeEigenvectors);
  if (solver.info() != Eigen::Success) return false;
  for (std::int64_t i = 0; i < n; ++i) values[i] = T(solver.eigenvalues()(i));
  if (v != nullptr) MatrixOut<T>(v, n, n) = solver.eigenvectors();
  return true;
}

// 1 + the sum of (z / (shifted - mu)) * (z / (d + shift + mu)) over the places of `order`. Half of
// the time of a decomposition goes into these divisions: here sixteen are done at once. The sum
// keeps its order and thus its bits.
template <class Number, class Numbers, class Places>
Number secular_sum(Number mu, const Numbers& z, const Numbers& d, const Places& order,
                   const Numbers& shifted, Number shift) {
  using Index = Eigen::Index;
  constexpr Index kAtOnce = 16;
  Number sum(1);
  Index i = 0;
  for (; i + kAtOnce <= order.size(); i += kAtOnce) {
    Eigen::Array<Number, kAtOnce, 1> z_here, left, right;
    for (Index k = 0; k < kAtOnce; ++k) {
      const Index j = order(i + k);
      z_here(k) = z(j);
      left(k) = shifted(j);
      right(k) = d(j);
    }
    const Eigen::Array<Number, kAtOnce, 1> terms =
        (z_here / (left - mu)) * (z_here / (right + shift + mu));
    for (Index k = 0; k < kAtOnce; ++k) sum += terms(k);
  }
  for (; i < order.size(); ++i) {
    const Index j = order(i);
    sum += (z(j) / (shifted(j) - mu)) * (z(j) / (d(j) + shift + mu));
  }
  return sum;
}

template <class Isa, class T>
void eigen_svd_on(const T* a, std::int64_t m, std::int64_t n, bool full, T* s, T* u, T* v) {
  const unsigned full_ones = Eigen::ComputeFullU | Eigen::ComputeFullV;
  const unsigned thin_ones = Eigen::ComputeThinU | Eigen::ComputeThinV;
  const unsigned options = u == nullptr ? 0 : full ? full_ones : thin_ones;
  const Eigen::BDCSVD<EigenMatrix<T>> svd(MatrixIn<T>(a, m, n), options);
  const std::int64_t k = std::min(m, n);
  for (std::int64_t i = 0; i < k; ++i) s[i] = T(svd.singularValues()(i));
  if (u == nullptr) return;
  MatrixOut<T>(u, m, full ? m : k) = svd.matrixU();
  MatrixOut<T>(v, n, full ? n : k) = svd.matrixV();
}

}  // namespace rill
