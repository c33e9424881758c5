#pragma once

#include <span>
#include <utility>
#include <vector>

#include "rill/kernel/kernel_node.h"
#include "rill/kernel/value.h"

namespace rill {

// Remembers what a node's shape function said for the last input shapes (and for the values of the
// inputs that it asked for), so that a step with the same shapes does not run it again.
class ShapeMemo {
 public:
  // The output shapes for these inputs. Throws what the shape function throws.
  std::span<const Shape> outputs(const KernelNode& node, std::span<Value* const> inputs);

 private:
  bool matches(std::span<Value* const> inputs) const;
  void infer(const KernelNode& node, std::span<Value* const> inputs);

  bool valid_ = false;
  bool scalars_ = false;  // only scalars went in and came out: all there is to check is the rank
  std::vector<Shape> inputs_, outputs_;
  std::vector<std::pair<int, Tensor>> values_;
};

}  // namespace rill
