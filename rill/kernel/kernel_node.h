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

  DType input_type(int i) const { return input_types.at(static_cast<std::size_t>(i)); }
  DType output_type(int i) const { return output_types.at(static_cast<std::size_t>(i)); }
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
