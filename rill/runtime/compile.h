#pragma once

#include <memory>
#include <span>

#include "rill/runtime/plan.h"

namespace rill {

// Which graph passes run before a plan is made.
struct CompileOptions {
  bool fold = true, share = true, simplify = true;
};

// Compiles a signature: prunes, runs the passes and chooses kernels. Holds the graph's mutex shared
// meanwhile. Throws InvalidArgument on a cycle or a wrong fetch, NotFound when no kernel fits.
std::shared_ptr<Plan> compile_plan(const Graph& graph, std::span<const Output> feeds,
                                   std::span<const Output> fetches, std::span<Node* const> targets,
                                   const CompileOptions& options, KernelCache& kernels);

}  // namespace rill
