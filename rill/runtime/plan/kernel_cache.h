#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "rill/graph/node.h"
#include "rill/kernel/kernel_registry.h"

namespace rill {

class FunctionLibrary;

// A node with its kernel chosen and its state made.
struct KernelInstance {
  KernelNode node;
  const KernelEntry* entry = nullptr;
  std::unique_ptr<KernelState> state;
  bool waits = false;  // runs the asynchronous way
};

// Stateful kernels by the names of their nodes, for graphs that are parts of one session: what was
// sent of it for different signatures.
class SharedKernels {
 public:
  // The kernel that another part has, or the one that `make` returns.
  std::shared_ptr<KernelInstance> find_or_add(
      const Node& node, const std::function<std::shared_ptr<KernelInstance>()>& make);

 private:
  std::mutex mutex_;
  std::unordered_map<std::string, std::shared_ptr<KernelInstance>> by_name_;
};

// The kernels of a session, one per node, so that state (random counters, queues, Print's count)
// survives from run to run and from signature to signature.
class KernelCache {
 public:
  KernelCache(const KernelRegistry& registry, Device& device)
      : KernelCache(registry, std::vector<Device*>{&device}) {}
  // At least one device.
  KernelCache(const KernelRegistry& registry, std::vector<Device*> devices,
              std::shared_ptr<SharedKernels> shared = nullptr)
      : registry_(registry), devices_(std::move(devices)), shared_(std::move(shared)) {}

  // One of the same devices that has no kernels yet.
  KernelCache fresh() const { return KernelCache(registry_, devices_, shared_); }

  // The node's kernel on one of the devices. Throws NotFound when no kernel fits, or what the
  // kernel's make_state throws.
  std::shared_ptr<KernelInstance> get(const Node& node, int device = 0);

  const KernelRegistry& registry() const { return registry_; }
  const std::vector<Device*>& devices() const { return devices_; }
  std::vector<std::string> device_names() const;
  Device& device(int i = 0) const { return *devices_.at(static_cast<std::size_t>(i)); }

 private:
  const KernelRegistry& registry_;
  const std::vector<Device*> devices_;
  const std::shared_ptr<SharedKernels> shared_;
  std::mutex mutex_;
  // For one device. What only steers values may run on several; it has no state.
  std::unordered_map<const Node*, std::shared_ptr<KernelInstance>> by_node_;
};

// Makes an instance outside any cache. A node that calls a function directly gets the kernel of
// PartitionedCall.
std::shared_ptr<KernelInstance> make_kernel(const Node& node, const KernelRegistry& registry,
                                            Device& device);
// Chooses the kernel of an instance whose node is filled in, and makes its state.
void finish_kernel(KernelInstance& kernel, const FunctionLibrary& library,
                   const KernelRegistry& registry);

}  // namespace rill
