#pragma once

#include <memory>
#include <mutex>
#include <unordered_map>

#include "rill/graph/node.h"
#include "rill/kernel/kernel_registry.h"

namespace rill {

// A node with its kernel chosen and its state made.
struct KernelInstance {
  KernelNode node;
  const KernelEntry* entry = nullptr;
  std::unique_ptr<KernelState> state;
};

// The kernels of a session, one per node, so that state (random counters, queues, Print's count)
// survives from run to run and from signature to signature.
class KernelCache {
 public:
  KernelCache(const KernelRegistry& registry, Device& device)
      : registry_(registry), device_(device) {}

  // Throws NotFound when no kernel fits, or what the kernel's make_state throws.
  std::shared_ptr<KernelInstance> get(const Node& node);

  const KernelRegistry& registry() const { return registry_; }
  Device& device() const { return device_; }

 private:
  const KernelRegistry& registry_;
  Device& device_;
  std::mutex mutex_;
  std::unordered_map<int, std::shared_ptr<KernelInstance>> by_node_id_;
};

// Makes an instance outside any cache.
std::shared_ptr<KernelInstance> make_kernel(const Node& node, const KernelRegistry& registry,
                                            Device& device);

}  // namespace rill
