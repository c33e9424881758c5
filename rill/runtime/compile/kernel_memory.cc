#include "rill/runtime/compile/kernel_memory.h"

#include <algorithm>

#include "rill/kernel/kernel_fit.h"

namespace rill {

MemoryKind KernelMemory::of_device(int device) const {
  return kernels_.device(device).memory_kind();
}

const KernelNode& KernelMemory::kernel_node(const Subgraph::Item& item) const {
  if (item.replaced == nullptr) return kernels_.get(*item.node, item.device)->node;
  auto& kernel = of_rewritten_[item.node];
  if (kernel == nullptr)
    kernel = make_kernel(*item.node, kernels_.registry(), kernels_.device(item.device));
  return kernel->node;
}

MemoryKind KernelMemory::of_input(const Subgraph::Item& item, int i) const {
  return has_own(item.device) ? kernel_node(item).input_kind(i) : MemoryKind::host;
}

MemoryKind KernelMemory::of_output(const Subgraph::Item& item, int i) const {
  return has_own(item.device) ? kernel_node(item).output_kind(i) : MemoryKind::host;
}

Tensor KernelMemory::upload(const Tensor& constant, int device) const {
  return constant.copied_to(kernels_.device(device).allocator(MemoryKind::device));
}

bool KernelMemory::is_needed(const Subgraph& graph) const {
  return std::ranges::any_of(graph.items, [&](const Subgraph::Item& item) {
    return item.is_plain() && has_own(item.device);
  });
}

bool KernelMemory::can_run(const Subgraph::Item& item) const {
  return !has_own(item.device) ||
         kernel_fits(kernels_.registry(), *item.node, kernels_.device(item.device).type());
}

}  // namespace rill
