#include "rill/ops/linalg/eigen_qr_eig-inl.h"

namespace rill {

using Number = std::complex<float>;
template void eigen_qr_on<CompiledFor>(const Number*, std::int64_t, std::int64_t, bool, Number*,
                                       Number*);
template bool eigen_self_adjoint_on<CompiledFor>(const Number*, std::int64_t, Number*, Number*);

}  // namespace rill
