#include "rill/kernel/kernel_registry.h"
#include "rill/ops/array/slice/scatter_nd.h"
#include "rill/ops/array/slice/scatter_nd_shape.h"
#include "rill/ops/update/variable_input.h"

namespace rill {

extern const OpDecl kScatterNdAdd, kScatterNdSub, kScatterNdUpdate, kResourceScatterNdAdd,
    kResourceScatterNdSub, kResourceScatterNdUpdate;

namespace {

void scatter_nd_into(const KernelCall& call, UpdateKind kind, VariableResource& variable) {
  const Tensor &indices = call.input_tensor(1), &updates = call.input_tensor(2);
  variable.update([&](Tensor& current) {
    require(current.dtype() == updates.dtype(), "variable ", variable.name(), " of dtype ",
            current.dtype(), " cannot take updates of dtype ", updates.dtype());
    require(indices.rank() >= 1, "indices must have at least one dimension");
    check_scatter_nd(indices.shape(), updates.shape(), current.shape());
    scatter_nd(call, kind, indices, updates, current);
  });
}

template <UpdateKind kind>
void by_reference(KernelCall& call) {
  scatter_nd_into(call, kind, *call.ref_input(0));
  call.set_ref_output(0, call.ref_input(0));
}
template <UpdateKind kind>
void by_handle(KernelCall& call) {
  scatter_nd_into(call, kind, *variable_input(call, 0));
}

constexpr KernelEntry kEntries[] = {
    {.op = &kScatterNdAdd, .run = by_reference<UpdateKind::kAdd>, .allocates = true},
    {.op = &kScatterNdSub, .run = by_reference<UpdateKind::kSub>, .allocates = true},
    {.op = &kScatterNdUpdate, .run = by_reference<UpdateKind::kAssign>, .allocates = true},
    {.op = &kResourceScatterNdAdd, .run = by_handle<UpdateKind::kAdd>},
    {.op = &kResourceScatterNdSub, .run = by_handle<UpdateKind::kSub>},
    {.op = &kResourceScatterNdUpdate, .run = by_handle<UpdateKind::kAssign>},
};

}  // namespace

extern const KernelTable kVariableScatterNdCpu{kEntries};

}  // namespace rill
