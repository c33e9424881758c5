#pragma once

#include <memory>
#include <span>

#include "rill/passes/inline_calls.h"
#include "rill/passes/rewrite.h"
#include "rill/runtime/placement/partition.h"
#include "rill/runtime/placement/placer.h"
#include "rill/runtime/plan/plan.h"

namespace rill {

// Which graph passes run before a plan is made, and how it is made.
struct CompileOptions {
  bool fold = true, share = true, simplify = true;
  RewriteSwitches rewrites;  // which rewrites are left out
  bool takes_feeds = false;  // as Plan's
  // False where a feed contradicts the graph's static shapes: no pass that relies on them runs.
  bool trusts_shapes = true;
  InlinedBodies* bodies = nullptr;  // to replace calls by bodies
  // Of a function: the device that everything runs on, and whether results go to host memory.
  int device = kClient;
  bool results_on_host = false;
  bool keeps_bad_values = false;  // constants do not become NaN before a step sees it happen
};

// Compiles a signature: prunes, places, runs the passes and chooses kernels. Without a placer
// everything runs on one device. Holds the graph's mutex shared meanwhile. Throws
// InvalidArgument on a cycle, a wrong fetch or a device that there is not, NotFound when no kernel
// fits.
std::shared_ptr<Plan> compile_plan(const Graph& graph, std::span<const Output> feeds,
                                   std::span<const Output> fetches, std::span<Node* const> targets,
                                   const CompileOptions& options, KernelCache& kernels,
                                   Placer* placer = nullptr);

// The same for a partial run: feeds and fetches go through the step's rendezvous.
std::shared_ptr<Plan> compile_partial(const Graph& graph, std::span<const Output> feeds,
                                      std::span<const Output> fetches,
                                      std::span<Node* const> targets, const CompileOptions& options,
                                      KernelCache& kernels, Placer& placer);

// The first half of that: what runs where. Expects the graph's mutex to be held. `is_partial`:
// fetches are given out before the step is over.
Subgraph compile_subgraph(std::span<const Output> feeds, std::span<const Output> fetches,
                          std::span<Node* const> targets, const CompileOptions& options,
                          KernelCache& kernels, Placer* placer, bool is_partial = false);

// The second half.
std::shared_ptr<Plan> plan_of(const Subgraph& part, const Registry& registry,
                              std::size_t feed_count, const CompileOptions& options,
                              KernelCache& kernels);

}  // namespace rill
