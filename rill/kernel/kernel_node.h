#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "rill/graph/attr.h"
#include "rill/graph/op.h"
#include "rill/kernel/device.h"

namespace rill {

// What is fixed about a node when its kernel is chosen.
struct KernelNode {
  std::string name;
  const Op* op = nullptr;
  AttrMap attrs;
  std::vector<DType> input_types, output_types;
  Device* device = nullptr;
  // Where each input and output lies; both empty: everything is the host's.
  std::vector<MemoryKind> input_memory, output_memory;

  DType input_type(int i) const { return input_types.at(static_cast<std::size_t>(i)); }
  DType output_type(int i) const { return output_types.at(static_cast<std::size_t>(i)); }
  MemoryKind input_kind(int i) const {
    return input_memory.empty() ? MemoryKind::host : input_memory[static_cast<std::size_t>(i)];
  }
  MemoryKind output_kind(int i) const {
    return output_memory.empty() ? MemoryKind::host : output_memory[static_cast<std::size_t>(i)];
  }
  // An output in host memory of a node on a device with its own.
  bool is_host_output(int i) const {
    return !output_memory.empty() && output_kind(i) == MemoryKind::host;
  }
  Allocator& output_allocator(int i) const { return device->allocator(output_kind(i)); }
  template <class T>
  const T& attr(std::string_view attr_name) const {
    return rill::attr<T>(attrs, attr_name);
  }
};

// Whatever a kernel wants to keep between calls of one node: parsed attributes, row functions,
// primitives, random state. Made once; shared by the steps that run the node.
class KernelState {
 public:
  virtual ~KernelState() = default;
};

}  // namespace rill
