#include "rill/ops/linalg/eigen-inl.h"

namespace rill {

bool eigen_schur(const std::complex<double>* a, std::int64_t n, std::complex<double>* u,
                 std::complex<double>* t) {
  using Number = std::complex<double>;
  const Eigen::ComplexSchur<EigenMatrix<Number>> schur(MatrixIn<Number>(a, n, n));
  if (schur.info() != Eigen::Success) return false;
  MatrixOut<Number>(u, n, n) = schur.matrixU();
  MatrixOut<Number>(t, n, n) = schur.matrixT();
  return true;
}

}  // namespace rill
