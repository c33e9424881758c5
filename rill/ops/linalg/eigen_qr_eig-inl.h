#include "rill/ops/linalg/eigen-inl.h"
#include "rill/ops/linalg/eigen_doors.h"

namespace rill {

template <class T>
void eigen_qr(const T* a, std::int64_t m, std::int64_t n, std::int64_t k, T* q, T* r) {
  const Eigen::HouseholderQR<EigenMatrix<T>> qr(MatrixIn<T>(a, m, n));
  MatrixOut<T> q_out(q, m, k), r_out(r, k, n);
  q_out.setIdentity();
  q_out.applyOnTheLeft(qr.householderQ());
  r_out = qr.matrixQR().topRows(k).template triangularView<Eigen::Upper>();
}

template <class T>
bool eigen_self_adjoint(const T* a, std::int64_t n, T* values, T* v) {
  const Eigen::SelfAdjointEigenSolver<EigenMatrix<T>> solver(
      MatrixIn<T>(a, n, n), v == nullptr ? Eigen::EigenvaluesOnly : Eigen::ComputeEigenvectors);
  if (solver.info() != Eigen::Success) return false;
  for (std::int64_t i = 0; i < n; ++i) values[i] = T(solver.eigenvalues()(i));
  if (v != nullptr) MatrixOut<T>(v, n, n) = solver.eigenvectors();
  return true;
}

}  // namespace rill
