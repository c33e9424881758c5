#pragma once

#include <unordered_map>

#include "rill/runtime/placement/partition.h"
#include "rill/runtime/plan/kernel_cache.h"

namespace rill {

// Where arguments lie, as the kernels of a session's devices say. For one compilation.
class KernelMemory final : public ArgumentMemory {
 public:
  explicit KernelMemory(KernelCache& kernels) : kernels_(kernels) {}

  MemoryKind of_device(int device) const override;
  MemoryKind of_input(const Subgraph::Item& item, int i) const override;
  MemoryKind of_output(const Subgraph::Item& item, int i) const override;
  bool takes_any(const Subgraph::Item& item, int i) const override;
  Tensor upload(const Tensor& constant, int device) const override;

  bool has_own(int device) const { return of_device(device) != MemoryKind::host; }
  // Whether some node of the graph runs on a device with memory of its own.
  bool is_needed(const Subgraph& graph) const;
  // Whether there is a kernel for the item's node on its device.
  bool can_run(const Subgraph::Item& item) const;

 private:
  const KernelNode& kernel_node(const Subgraph::Item& item) const;

  KernelCache& kernels_;
  // Of nodes that rewrites made, which are gone before the session is.
  mutable std::unordered_map<const Node*, std::shared_ptr<KernelInstance>> of_rewritten_;
};

}  // namespace rill
