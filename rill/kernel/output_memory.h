#pragma once

#include "rill/kernel/kernel_node.h"

namespace rill {

// Lets the outputs that a self-allocating kernel allocates while this lives, on this thread, come
// from allocators that the runtime chose instead of the device's own: one per output, for calls of
// this very node.
class OutputMemory {
 public:
  OutputMemory(const KernelNode& node, Allocator* const* allocators)
      : node_(&node), allocators_(allocators), outer_(current_) {
    current_ = this;
  }
  ~OutputMemory() { current_ = outer_; }
  OutputMemory(const OutputMemory&) = delete;
  OutputMemory& operator=(const OutputMemory&) = delete;

  // For output `i` of a call of `node`.
  static Allocator& of(const KernelNode& node, int i) {
    const OutputMemory* chosen = current_;
    const bool is_chosen = chosen != nullptr && chosen->node_ == &node && !node.is_host_output(i);
    return is_chosen ? *chosen->allocators_[i] : node.output_allocator(i);
  }

 private:
  const KernelNode* node_;
  Allocator* const* allocators_;
  OutputMemory* outer_;
  static constinit thread_local OutputMemory* current_;
};

}  // namespace rill
