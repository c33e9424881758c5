#include "rill/runtime/compile/compile.h"

#include <algorithm>
#include <cstdlib>
#include <shared_mutex>
#include <string_view>

#include "rill/base/error.h"
#include "rill/ops/fusion/rewrites.h"
#include "rill/passes/ref_variable_reads.h"
#include "rill/runtime/compile/bad_values.h"
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

// Leaves to the step what makes a NaN or an infinity of finite values, so that somebody sees it.
class FiniteEvaluator final : public Evaluator {
 public:
  FiniteEvaluator(const KernelRegistry& registry, Device& device) : evaluator_(registry, device) {}
  std::optional<std::vector<Tensor>> evaluate(const Node& node,
                                              std::span<const Tensor> inputs) override {
    auto made = evaluator_.evaluate(node, inputs);
    const auto is_bad = [](const Tensor& t) { return finiteness(t) != Finiteness::finite; };
    if (made && std::ranges::any_of(*made, is_bad)) made.reset();
    return made;
  }

 private:
  KernelEvaluator evaluator_;
};

void fold(Subgraph& part, const CompileOptions& options, KernelCache& kernels) {
  KernelEvaluator plain(kernels.registry(), kernels.device());
  FiniteEvaluator finite(kernels.registry(), kernels.device());
  Evaluator& evaluator = options.keeps_bad_values ? static_cast<Evaluator&>(finite) : plain;
  const int folded = fold_constants(part, evaluator);
  if (folded > 0) part.fired.push_back({"fold_constants", folded});
  const int conditional = fold_conditional(part, evaluator);
  if (conditional > 0) part.fired.push_back({"fold_conditional", conditional});
}

// Whether it is itself the part of a step that other processes run.
bool exchanges_values(const Subgraph& part) {
  return std::ranges::any_of(
      part.items, [](const Subgraph::Item& item) { return is_node(item, kSend | kRecv); });
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
    return spans_devices(part, options.device) || memory.is_needed(part) || exchanges_values(part);
  };
  note("ref_variable_reads", ref_variable_reads(part, !is_partial && !is_cut()));
  if (options.fold && options.trusts_shapes) fold(part, options, kernels);
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
  return plan_of(compile_subgraph(feeds, fetches, targets, options, kernels, placer),
                 graph.registry(), feeds.size(), options, kernels);
}

std::shared_ptr<Plan> plan_of(const Subgraph& part, const Registry& registry,
                              std::size_t feed_count, const CompileOptions& options,
                              KernelCache& kernels) {
  const KernelMemory memory(kernels);
  if (memory.has_own(options.device) || spans_devices(part, options.device) ||
      memory.is_needed(part))
    return compile_parts(part, registry, feed_count, kernels, options);
  auto plan = std::make_shared<Plan>(part, feed_count, kernels, options.takes_feeds);
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
