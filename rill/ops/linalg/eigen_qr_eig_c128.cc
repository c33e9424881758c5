#include "rill/ops/linalg/eigen_qr_eig-inl.h"

namespace rill {

template void eigen_qr<std::complex<double>>(const std::complex<double>*, std::int64_t,
                                             std::int64_t, std::int64_t, std::complex<double>*,
                                             std::complex<double>*);
template bool eigen_self_adjoint<std::complex<double>>(const std::complex<double>*, std::int64_t,
                                                       std::complex<double>*,
                                                       std::complex<double>*);

}  // namespace rill
