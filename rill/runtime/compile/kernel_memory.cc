#include "rill/runtime/compile/kernel_memory.h"

#include <algorithm>

#include "rill/kernel/kernel_fit.h"

namespace rill {
namespace {

// Whether the list has the name of the argument that input i belongs to.
bool is_named(const KernelNode& node, int i, std::string_view list) {
  for (const Arg& arg : node.op->inputs) {
    const std::size_t count = arg.is_list() ? arg_types(arg, node.attrs).size() : 1;
    if (static_cast<std::size_t>(i) < count)
      return ("," + std::string(list) + ",").find("," + std::string(arg.name) + ",") !=
             std::string::npos;
    i -= static_cast<int>(count);
  }
  return true;
}

}  // namespace

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

// Of a kernel of the CPU that names its arguments in host memory, the others lie anywhere.
bool KernelMemory::takes_any(const Subgraph::Item& item, int i) const {
  if (has_own(item.device) || item.replaced != nullptr) return false;
  const auto kernel = kernels_.get(*item.node, item.device);
  const char* const host = kernel->entry->host_memory;
  return host != nullptr && !is_named(kernel->node, i, host);
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
