#include "rill/ops/linalg/eigen-inl.h"

namespace rill {

template <class T>
void eigen_least_squares(const T* a, std::int64_t m, std::int64_t n, const T* b,
                         std::int64_t columns, double epsilon, T* x) {
  Eigen::CompleteOrthogonalDecomposition<EigenMatrix<T>> decomposition(m, n);
  decomposition.setThreshold(epsilon * static_cast<double>(std::min(m, n)));
  decomposition.compute(MatrixIn<T>(a, m, n));
  MatrixOut<T>(x, n, columns) = decomposition.solve(MatrixIn<T>(b, m, columns));
}

template void eigen_least_squares<double>(const double*, std::int64_t, std::int64_t, const double*,
                                          std::int64_t, double, double*);
template void eigen_least_squares<std::complex<double>>(const std::complex<double>*, std::int64_t,
                                                        std::int64_t, const std::complex<double>*,
                                                        std::int64_t, double,
                                                        std::complex<double>*);

}  // namespace rill
