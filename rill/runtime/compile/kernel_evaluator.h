#pragma once

#include "rill/kernel/kernel_registry.h"
#include "rill/passes/subgraph.h"

namespace rill {

// Runs single pure nodes for the passes, on the calling thread.
class KernelEvaluator final : public Evaluator {
 public:
  KernelEvaluator(const KernelRegistry& registry, Device& device)
      : registry_(registry), device_(device) {}
  std::optional<std::vector<Tensor>> evaluate(const Node& node,
                                              std::span<const Tensor> inputs) override;

 private:
  const KernelRegistry& registry_;
  Device& device_;
};

// The standard ops. Shape functions of graphs made with them see values that depend on constants
// and known shapes alone, evaluated as above.
Registry& evaluated_ops();

}  // namespace rill
