#include "rill/ops/state/scatter.h"
#include "rill/kernel/kernel_registry.h"

namespace rill {

extern const OpDecl kScatterUpdate, kScatterAdd, kScatterSub, kScatterMul, kScatterDiv, kScatterMin,
    kScatterMax;

namespace {

template <UpdateKind kind>
void scatter_kernel(KernelCall& call) {
  const auto& variable = call.ref_input(0);
  scatter(call, kind, *variable, call.input_tensor(1), call.input_tensor(2));
  call.set_ref_output(0, variable);
}

constexpr KernelEntry kEntries[] = {
    {.op = &kScatterUpdate, .run = scatter_kernel<UpdateKind::kAssign>, .allocates = true},
    {.op = &kScatterAdd, .run = scatter_kernel<UpdateKind::kAdd>, .allocates = true},
    {.op = &kScatterSub, .run = scatter_kernel<UpdateKind::kSub>, .allocates = true},
    {.op = &kScatterMul, .run = scatter_kernel<UpdateKind::kMul>, .allocates = true},
    {.op = &kScatterDiv, .run = scatter_kernel<UpdateKind::kDiv>, .allocates = true},
    {.op = &kScatterMin, .run = scatter_kernel<UpdateKind::kMin>, .allocates = true},
    {.op = &kScatterMax, .run = scatter_kernel<UpdateKind::kMax>, .allocates = true},
};

}  // namespace

extern const KernelTable kScatterCpu{kEntries};

}  // namespace rill
