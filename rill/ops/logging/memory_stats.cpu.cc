#include "rill/kernel/kernel_registry.h"

namespace rill {

extern const OpDecl kBytesInUse, kBytesLimit, kMaxBytesInUse;

namespace {

template <std::int64_t AllocatorStats::*kCounter>
void give_counter(KernelCall& call) {
  Device& device = call.device();
  const AllocatorStats stats = device.allocator(device.memory_kind()).stats();
  call.output<std::int64_t>(0)[0] = stats.*kCounter;
}

constexpr KernelEntry counter_kernel(const OpDecl& op, KernelFn run) {
  return {.op = &op, .run = run, .expensive = false, .host_memory = "out", .any_device = true};
}

constexpr KernelEntry kEntries[] = {
    counter_kernel(kBytesInUse, give_counter<&AllocatorStats::live_bytes>),
    counter_kernel(kBytesLimit, give_counter<&AllocatorStats::limit_bytes>),
    counter_kernel(kMaxBytesInUse, give_counter<&AllocatorStats::peak_bytes>),
};

}  // namespace

extern const KernelTable kMemoryStatsCpu{kEntries};

}  // namespace rill
