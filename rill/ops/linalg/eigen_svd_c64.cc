#include "rill/ops/linalg/eigen_svd-inl.h"

namespace rill {

template void eigen_svd<std::complex<float>>(const std::complex<float>*, std::int64_t, std::int64_t,
                                             bool, std::complex<float>*, std::complex<float>*,
                                             std::complex<float>*);

}  // namespace rill
