#include "rill/ops/linalg/eigen_svd-inl.h"

namespace rill {

template void eigen_svd<std::complex<double>>(const std::complex<double>*, std::int64_t,
                                              std::int64_t, bool, std::complex<double>*,
                                              std::complex<double>*, std::complex<double>*);

}  // namespace rill
