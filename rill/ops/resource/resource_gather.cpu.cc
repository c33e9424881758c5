#include "rill/ops/array/slice/gather.h"

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/update/variable_input.h"

namespace rill {

extern const OpDecl kResourceGather, kResourceGatherNd;

namespace {

Tensor read_input(const KernelCall& call) {
  Tensor value = variable_input(call, 0)->read();
  const DType dtype = call.node().output_type(0);
  require(value.dtype() == dtype, "Trying to read variable with wrong dtype. Expected ", dtype,
          " got ", value.dtype());
  return value;
}

void resource_gather(KernelCall& call) {
  const Tensor params = read_input(call);
  const Tensor& indices = call.input_tensor(1);
  auto batch_dims = call.node().attr<std::int64_t>("batch_dims");
  if (batch_dims < 0) batch_dims += indices.rank();
  const GatherPlan plan(params.shape(), indices.shape(), batch_dims, batch_dims);
  gather(call, plan, params, indices, call.allocate_output(0, plan.output));
}

void resource_gather_nd(KernelCall& call) {
  const Tensor params = read_input(call);
  const Tensor& indices = call.input_tensor(1);
  gather_nd(call, params, indices,
            call.allocate_output(0, gather_nd_shape(params.shape(), indices.shape())));
}

constexpr KernelEntry kEntries[] = {
    {.op = &kResourceGather, .run = resource_gather, .allocates = true},
    {.op = &kResourceGatherNd, .run = resource_gather_nd, .allocates = true},
};

}  // namespace

extern const KernelTable kResourceGatherCpu{kEntries};

}  // namespace rill
