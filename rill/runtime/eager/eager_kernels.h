#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "rill/graph/graph.h"
#include "rill/runtime/plan/kernel_cache.h"
#include "rill/runtime/plan/shape_memo.h"

namespace rill {

// The kernel of an op called with these types and attributes, with what calls of it share.
struct EagerKernel {
  KernelInstance instance;
  std::shared_ptr<AttrMap> attrs;  // complete
  bool makes_handles = false;      // resources, by an op that was given none
  bool has_handles = false;        // resources among the outputs
  std::mutex memo_mutex;
  ShapeMemo memo;
};

// Kernels by op, device, types and attributes. The least useful half goes when there are many.
class EagerKernels {
 public:
  EagerKernels(const KernelRegistry& registry, const FunctionLibrary& library)
      : registry_(registry), library_(library) {}

  // Throws InvalidArgument where inputs or attributes do not fit the op, NotFound where it has no
  // kernel for them on the device.
  std::shared_ptr<EagerKernel> find(const Op& op, NodeSpec& spec, Device& device);
  void clear();

 private:
  struct Key {
    const Op* op;
    const Device* device;
    std::vector<DType> types;
    AttrMap attrs;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const;
  };
  std::shared_ptr<EagerKernel> make(const Op& op, NodeSpec& spec, Device& device) const;

  const KernelRegistry& registry_;
  const FunctionLibrary& library_;
  std::mutex mutex_;
  std::unordered_map<Key, std::shared_ptr<EagerKernel>, KeyHash> kernels_;
};

}  // namespace rill
