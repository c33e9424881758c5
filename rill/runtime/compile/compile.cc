#include "rill/runtime/compile/compile.h"

#include <algorithm>
#include <cstdlib>
#include <shared_mutex>
#include <string_view>

#include "rill/base/error.h"
#include "rill/ops/fusion/rewrites.h"
#include "rill/passes/ref_variable_reads.h"
#include "rill/runtime/compile/kernel_evaluator.h"
#include "rill/runtime/compile/kernel_memory.h"
#include "rill/runtime/placement/partition.h"

namespace rill {
namespace {

void place(Subgraph& graph, Placer& placer) {
  placer.extend();
  for (Subgraph::Item& item : graph.items)
    if (item.is_plain()) item.device = placer.place(*item.node);
}

void choose_memory(Plan& plan, const CompileOptions& options) {
  const char* said = std::getenv("RILL_ARENA");
  const bool off = said != nullptr && std::string_view(said) == "off";
  if (off || options.rewrites.off.contains("arena")) plan.arenas.reset();
}

std::shared_ptr<Plan> compile_parts(const Subgraph& graph, const Registry& registry,
                                    std::size_t feed_count, KernelCache& kernels,
                                    const CompileOptions& options,
                                    ClientValues client_values = {}) {
  client_values.device = options.device;
  client_values.results_on_host = options.results_on_host;
  PartitionedGraph cut =
      partition(graph, kernels.device_names(), registry, client_values, KernelMemory(kernels));
  const std::shared_ptr<const Graph> helpers = std::move(cut.helpers);
  std::shared_ptr<Plan> client;
  for (const Partition& part : cut.partitions) {
    auto plan = std::make_shared<Plan>(part.graph, feed_count, kernels);
    plan->helpers = helpers;
    choose_memory(*plan, options);
    if (client == nullptr) {
      client = std::move(plan);
    } else {
      client->others.push_back(std::move(plan));
    }
  }
  // Nothing is left to do where there are no results either.
  if (client == nullptr) return std::make_shared<Plan>(graph, feed_count, kernels);
  return client;
}

}  // namespace

Subgraph compile_subgraph(std::span<const Output> feeds, std::span<const Output> fetches,
                          std::span<Node* const> targets, const CompileOptions& options,
                          KernelCache& kernels, Placer* placer, bool is_partial) {
  Subgraph part = prune(feeds, fetches, targets);
  const auto note = [&part](const char* pass, int places) {
    if (places > 0) part.fired.push_back({pass, places});
  };
  for (Subgraph::Item& item : part.items) item.device = options.device;
  if (placer != nullptr) place(part, *placer);
  if (options.bodies != nullptr) note("inline_calls", inline_calls(part, *options.bodies));
  const KernelMemory memory(kernels);
  const auto is_cut = [&] {
    return spans_devices(part, options.device) || memory.is_needed(part);
  };
  note("ref_variable_reads", ref_variable_reads(part, !is_partial && !is_cut()));
  if (options.fold && options.trusts_shapes) {
    KernelEvaluator evaluator(kernels.registry(), kernels.device());
    note("fold_constants", fold_constants(part, evaluator));
    note("fold_conditional", fold_conditional(part, evaluator));
  }
  if (options.simplify && options.trusts_shapes) {
    note("drop_identities", drop_identities(part));
    note("dead_code", dead_code(part));
  }
  if (options.share) note("common_subexpressions", common_subexpressions(part));
  compact(part);
  // What a partial run gives out early must not wait for what is fed later.
  if (!is_partial && options.trusts_shapes) {
    CanRun can_run;  // asked only where a kernel may be missing
    if (memory.is_needed(part))
      can_run = [&](const Subgraph::Item& item) { return memory.can_run(item); };
    rewrite(part, standard_rewrites(), options.rewrites, can_run);
  }
  if (is_cut()) follow_values(part);
  return part;
}

std::shared_ptr<Plan> compile_plan(const Graph& graph, std::span<const Output> feeds,
                                   std::span<const Output> fetches, std::span<Node* const> targets,
                                   const CompileOptions& options, KernelCache& kernels,
                                   Placer* placer) {
  std::shared_lock lock(graph.mutex());
  const Subgraph part = compile_subgraph(feeds, fetches, targets, options, kernels, placer);
  const KernelMemory memory(kernels);
  if (memory.has_own(options.device) || spans_devices(part, options.device) ||
      memory.is_needed(part))
    return compile_parts(part, graph.registry(), feeds.size(), kernels, options);
  auto plan = std::make_shared<Plan>(part, feeds.size(), kernels, options.takes_feeds);
  choose_memory(*plan, options);
  return plan;
}

std::shared_ptr<Plan> compile_partial(const Graph& graph, std::span<const Output> feeds,
                                      std::span<const Output> fetches,
                                      std::span<Node* const> targets, const CompileOptions& options,
                                      KernelCache& kernels, Placer& placer) {
  ClientValues client{.by_rendezvous = true};
  for (const Output& fetch : fetches) {
    require(std::ranges::find(feeds, fetch) == feeds.end(), fetch, " is both fed and fetched.");
    client.fetch_names.push_back(fetch.name());
  }
  std::shared_lock lock(graph.mutex());
  const Subgraph part = compile_subgraph(feeds, fetches, targets, options, kernels, &placer, true);
  return compile_parts(part, graph.registry(), feeds.size(), kernels, options, client);
}

}  // namespace rill
