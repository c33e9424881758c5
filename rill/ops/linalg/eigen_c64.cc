#include "rill/ops/linalg/eigen_decompositions-inl.h"

// A complex decomposition contains a real one, which is compiled in eigen_f32.cc.
extern template class Eigen::JacobiSVD<Eigen::MatrixXf>;

namespace Eigen {

template <>
float BDCSVD<rill::EigenMatrix<std::complex<float>>>::secularEq(float mu, const ArrayRef& z,
                                                                const ArrayRef& d,
                                                                const IndicesRef& order,
                                                                const ArrayRef& shifted,
                                                                float shift) {
  return rill::secular_sum(mu, z, d, order, shifted, shift);
}

}  // namespace Eigen

namespace rill {

using Number = std::complex<float>;
template void eigen_qr_on<CompiledFor>(const Number*, std::int64_t, std::int64_t, bool, Number*,
                                       Number*);
template bool eigen_self_adjoint_on<CompiledFor>(const Number*, std::int64_t, Number*, Number*);
template void eigen_svd_on<CompiledFor>(const Number*, std::int64_t, std::int64_t, bool, Number*,
                                        Number*, Number*);

}  // namespace rill
