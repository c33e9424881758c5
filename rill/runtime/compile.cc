#include "rill/runtime/compile.h"

#include <shared_mutex>

#include "rill/runtime/kernel_evaluator.h"

namespace rill {

std::shared_ptr<Plan> compile_plan(const Graph& graph, std::span<const Output> feeds,
                                   std::span<const Output> fetches, std::span<Node* const> targets,
                                   const CompileOptions& options, KernelCache& kernels) {
  std::shared_lock lock(graph.mutex());
  Subgraph part = prune(feeds, fetches, targets);
  if (options.fold) {
    KernelEvaluator evaluator(kernels.registry(), kernels.device());
    fold_constants(part, evaluator);
    fold_guarded(part, evaluator);
  }
  if (options.simplify) drop_identities(part);
  if (options.share) share_equal(part);
  compact(part);
  return std::make_shared<Plan>(part, feeds.size(), kernels);
}

}  // namespace rill
