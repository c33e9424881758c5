#include "rill/ops/linalg/eigen_svd-inl.h"

namespace Eigen {

template <>
float BDCSVD<rill::EigenMatrix<float>>::secularEq(float mu, const ArrayRef& z, const ArrayRef& d,
                                                  const IndicesRef& order, const ArrayRef& shifted,
                                                  float shift) {
  return rill::secular_sum(mu, z, d, order, shifted, shift);
}

}  // namespace Eigen

namespace rill {

template void eigen_svd_on<CompiledFor>(const float*, std::int64_t, std::int64_t, bool, float*,
                                        float*, float*);

}  // namespace rill
