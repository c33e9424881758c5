#include "rill/ops/linalg/eigen_decompositions-inl.h"

// What the complex decompositions contain of the real one.
template class Eigen::JacobiSVD<Eigen::MatrixXd>;

namespace Eigen {

template <>
double BDCSVD<rill::EigenMatrix<double>>::secularEq(double mu, const ArrayRef& z, const ArrayRef& d,
                                                    const IndicesRef& order,
                                                    const ArrayRef& shifted, double shift) {
  return rill::secular_sum(mu, z, d, order, shifted, shift);
}

}  // namespace Eigen

namespace rill {

using Number = double;
template void eigen_qr_on<CompiledFor>(const Number*, std::int64_t, std::int64_t, bool, Number*,
                                       Number*);
template bool eigen_self_adjoint_on<CompiledFor>(const Number*, std::int64_t, Number*, Number*);
template void eigen_svd_on<CompiledFor>(const Number*, std::int64_t, std::int64_t, bool, Number*,
                                        Number*, Number*);

}  // namespace rill
