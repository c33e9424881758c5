#include "rill/ops/array/slice/scatter_nd.h"

#include <cstring>

#include "rill/kernel/kernel_registry.h"

namespace rill {

extern const OpDecl kScatterNd, kScatterNdNonAliasingAdd, kTensorScatterAdd, kTensorScatterSub,
    kTensorScatterUpdate;

namespace {

void scatter_nd_kernel(KernelCall& call) {
  const Tensor& out = call.output_tensor(0);
  if (out.dtype() == DType::string) {
    for (std::string& element : out.flat<std::string>()) element.clear();
  } else {
    auto* data = static_cast<std::byte*>(out.raw_data());
    call.parallel_for(out.byte_size(), 0.05, [&](std::size_t begin, std::size_t end) {
      std::memset(data + begin, 0, end - begin);
    });
  }
  scatter_nd(call, UpdateKind::kAdd, call.input_tensor(0), call.input_tensor(1), out);
}

template <UpdateKind kind>
void scatter_into(KernelCall& call) {
  const Tensor &target = call.input_tensor(0), &out = call.output_tensor(0);
  copy_elements(out.dtype(), out.raw_data(), target.raw_data(),
                static_cast<std::size_t>(out.element_count()));
  scatter_nd(call, kind, call.input_tensor(1), call.input_tensor(2), out);
}

constexpr KernelEntry kEntries[] = {
    {.op = &kScatterNd,
     .types = kUpdateTypes | DType::boolean | DType::string,
     .run = scatter_nd_kernel},
    {.op = &kScatterNdNonAliasingAdd, .types = kUpdateTypes, .run = scatter_into<UpdateKind::kAdd>},
    {.op = &kTensorScatterAdd, .types = kUpdateTypes, .run = scatter_into<UpdateKind::kAdd>},
    {.op = &kTensorScatterSub, .types = kUpdateTypes, .run = scatter_into<UpdateKind::kSub>},
    {.op = &kTensorScatterUpdate, .run = scatter_into<UpdateKind::kAssign>},
};

}  // namespace

extern const KernelTable kScatterNdCpu{kEntries};

}  // namespace rill
