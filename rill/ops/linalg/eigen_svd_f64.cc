#include "rill/ops/linalg/eigen_svd-inl.h"

namespace Eigen {

template <>
double BDCSVD<rill::EigenMatrix<double>>::secularEq(double mu, const ArrayRef& z, const ArrayRef& d,
                                                    const IndicesRef& order,
                                                    const ArrayRef& shifted, double shift) {
  return rill::secular_sum(mu, z, d, order, shifted, shift);
}

}  // namespace Eigen

namespace rill {

template void eigen_svd_on<CompiledFor>(const double*, std::int64_t, std::int64_t, bool, double*,
                                        double*, double*);

}  // namespace rill
