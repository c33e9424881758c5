#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "rill/graph/graph.h"

namespace rill {

// A call of an op with tensors alone: no values that are to become some.
struct TensorCall {
  static constexpr std::size_t kMost = 8;

  const Op* op = nullptr;
  std::size_t count = 0;
  std::array<Output, kMost> tensors;  // lists flattened
  // What tells calls apart that need different kernels, besides their attributes: the types, and
  // where lists begin and end.
  std::array<std::uint8_t, 2 * kMost> pattern{};
  std::size_t pattern_size = 0;

  std::span<const Output> inputs() const { return {tensors.data(), count}; }
};

// What an OpExecutor may be besides: calls that are like earlier ones go past the op's declaration.
class QuickExecutor {
 public:
  virtual ~QuickExecutor() = default;
  // Executes the op if this thread remembers such a call, with the same attributes; else nullptr.
  // Throws what its kernel throws.
  virtual Node* execute_again(Graph& graph, const TensorCall& call, const AttrMap& attrs) = 0;
  // `call`, with attributes as the caller gave them, is what this thread has executed last.
  virtual void remember(const TensorCall& call, AttrMap attrs) = 0;
};

}  // namespace rill
