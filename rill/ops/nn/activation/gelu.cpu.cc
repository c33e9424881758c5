#include "rill/ops/math/rows/activation_rows.h"

namespace rill {

extern const OpDecl kGelu, kGeluErfGrad, kGeluTanhGrad;

namespace {

std::unique_ptr<KernelState> make_gelu(const KernelNode& node) {
  return make_unary_state(
      node, node.attr<bool>("approximate") ? find_gelu_tanh_rows : find_gelu_erf_rows);
}

constexpr KernelEntry kEntries[] = {
    {.op = &kGelu,
     .types = kFloatTypes,
     .run = run_unary,
     .make_state = make_gelu,
     .expensive = false},
    binary_entry<find_gelu_erf_grad_rows>(&kGeluErfGrad, DType::f32),
    binary_entry<find_gelu_tanh_grad_rows>(&kGeluTanhGrad, DType::f32),
};

}  // namespace

extern const KernelTable kGeluCpu{kEntries};

}  // namespace rill
