#pragma once

#include <mutex>

#include "rill/base/philox.h"
#include "rill/kernel/kernel_node.h"
#include "rill/tensor/tensor.h"

namespace rill {

// The random stream of a node with the attributes seed and seed2; it goes on from run to run. Two
// zeros ask for a stream that nobody can foretell.
class NodeStream final : public KernelState {
 public:
  explicit NodeStream(const KernelNode& node);
  static std::unique_ptr<KernelState> make(const KernelNode& node) {
    return std::make_unique<NodeStream>(node);
  }
  // The stream where it stands; the next call finds it `blocks` further on.
  Philox reserve(std::uint64_t blocks);

 private:
  std::mutex mutex_;
  Philox stream_;
};

// The stream of a stateless op: a function of its `seed` input, two int32 or int64 numbers. Throws
// InvalidArgument when it has another shape.
Philox stateless_stream(const Tensor& seed);

}  // namespace rill
