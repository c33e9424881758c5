#include "rill/ops/linalg/eigen_svd-inl.h"

namespace rill {

template void eigen_svd<double>(const double*, std::int64_t, std::int64_t, bool, double*, double*,
                                double*);

}  // namespace rill
