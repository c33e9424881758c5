#include "rill/ops/linalg/eigen_svd-inl.h"

namespace rill {

template void eigen_svd<float>(const float*, std::int64_t, std::int64_t, bool, float*, float*,
                               float*);

}  // namespace rill
