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

}  // namespace rill
