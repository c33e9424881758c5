#include "rill/ops/linalg/eigen_qr_eig-inl.h"

namespace rill {

template void eigen_qr<std::complex<float>>(const std::complex<float>*, std::int64_t, std::int64_t,
                                            std::int64_t, std::complex<float>*,
                                            std::complex<float>*);
template bool eigen_self_adjoint<std::complex<float>>(const std::complex<float>*, std::int64_t,
                                                      std::complex<float>*, std::complex<float>*);

}  // namespace rill
