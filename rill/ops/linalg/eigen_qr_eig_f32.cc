#include "rill/ops/linalg/eigen_qr_eig-inl.h"

namespace rill {

template void eigen_qr_on<CompiledFor>(const float*, std::int64_t, std::int64_t, bool, float*,
                                       float*);
template bool eigen_self_adjoint_on<CompiledFor>(const float*, std::int64_t, float*, float*);

}  // namespace rill
