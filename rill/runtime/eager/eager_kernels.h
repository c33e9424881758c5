#pragma once

#include <functional>
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
  // By later calls. Not where its state is the one resource that it makes, nor where it calls a
  // function that goes with what is made.
  bool is_reusable = true;
  std::mutex memo_mutex;
  ShapeMemo memo;
};

// Where an op may run: on the first of these devices that has a kernel for it.
using EagerPlaces = std::vector<Device*>;

// Kernels by op, places, types and attributes. The least useful half goes when there are many.
class EagerKernels {
 public:
  // Whether the functions that an op with these attributes calls can run on a type of device.
  using FunctionsFit = std::function<bool(const std::string& op, const AttrMap& attrs,
                                          const std::string& device_type)>;
  EagerKernels(const KernelRegistry& registry, const FunctionLibrary& library, FunctionsFit fit)
      : registry_(registry), library_(library), functions_fit_(std::move(fit)) {}

  // Throws InvalidArgument where inputs or attributes do not fit the op, NotFound where it has no
  // kernel for them in any of the places, which must live as long as this object.
  std::shared_ptr<EagerKernel> find(const Op& op, NodeSpec& spec, const EagerPlaces& places);
  void clear();

 private:
  struct Key {
    const Op* op;
    const EagerPlaces* places;
    std::vector<DType> types;
    AttrMap attrs;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const;
  };
  std::shared_ptr<EagerKernel> make(const Op& op, NodeSpec& spec, const EagerPlaces& places) const;
  bool fits(const Op& op, const AttrMap& attrs, const std::string& device_type) const;

  const KernelRegistry& registry_;
  const FunctionLibrary& library_;
  const FunctionsFit functions_fit_;
  std::mutex mutex_;
  std::unordered_map<Key, std::shared_ptr<EagerKernel>, KeyHash> kernels_;
};

}  // namespace rill
