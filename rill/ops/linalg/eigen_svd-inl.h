#include "rill/ops/linalg/eigen-inl.h"
#include "rill/ops/linalg/eigen_doors.h"

namespace rill {

template <class T>
void eigen_svd(const T* a, std::int64_t m, std::int64_t n, bool full, T* s, T* u, T* v) {
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
