#include "rill/kernel/kernel_registry.h"
#include "rill/ops/state/scatter.h"
#include "rill/ops/update/variable_input.h"

namespace rill {

extern const OpDecl kResourceScatterUpdate, kResourceScatterAdd, kResourceScatterSub,
    kResourceScatterMul, kResourceScatterDiv, kResourceScatterMin, kResourceScatterMax;

namespace {

template <UpdateKind kind>
void scatter_kernel(KernelCall& call) {
  scatter(call, kind, *variable_input(call, 0), call.input_tensor(1), call.input_tensor(2));
}

constexpr KernelEntry kEntries[] = {
    {.op = &kResourceScatterUpdate, .run = scatter_kernel<UpdateKind::kAssign>},
    {.op = &kResourceScatterAdd, .run = scatter_kernel<UpdateKind::kAdd>},
    {.op = &kResourceScatterSub, .run = scatter_kernel<UpdateKind::kSub>},
    {.op = &kResourceScatterMul, .run = scatter_kernel<UpdateKind::kMul>},
    {.op = &kResourceScatterDiv, .run = scatter_kernel<UpdateKind::kDiv>},
    {.op = &kResourceScatterMin, .run = scatter_kernel<UpdateKind::kMin>},
    {.op = &kResourceScatterMax, .run = scatter_kernel<UpdateKind::kMax>},
};

}  // namespace

extern const KernelTable kResourceScatterCpu{kEntries};

}  // namespace rill
