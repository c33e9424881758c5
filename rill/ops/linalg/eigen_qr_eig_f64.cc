#include "rill/ops/linalg/eigen_qr_eig-inl.h"

namespace rill {

template void eigen_qr_on<CompiledFor>(const double*, std::int64_t, std::int64_t, bool, double*,
                                       double*);
template bool eigen_self_adjoint_on<CompiledFor>(const double*, std::int64_t, double*, double*);

}  // namespace rill
