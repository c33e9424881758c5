#include "rill/inspect/explain.h"

#include <algorithm>
#include <map>
#include <shared_mutex>
#include <unordered_map>

#include "rill/base/clock.h"
#include "rill/base/thread_pool.h"
#include "rill/ops/register.h"
#include "rill/runtime/compile.h"
#include "rill/runtime/cpu_device.h"

namespace rill::inspect {
namespace {

struct TracedStep {
  StepStats stats;
  double seconds = 0, kernel_seconds = 0;
};

TracedStep best_step(const BenchedModel& model, std::span<const Tensor> feeds, int runs) {
  const Callable step = model.session->make_callable(model.feeds(), model.fetches());
  step(feeds);  // compiles, fills caches
  TracedStep best;
  for (int i = 0; i < std::max(1, runs); ++i) {
    TracedStep one;
    const std::int64_t begin = monotonic_nanos();
    step(feeds, {.trace = true}, &one.stats);
    one.seconds = static_cast<double>(monotonic_nanos() - begin) * 1e-9;
    for (const NodeStats& node : one.stats.nodes)
      one.kernel_seconds += static_cast<double>(node.nanos) * 1e-9;
    if (i == 0 || one.kernel_seconds < best.kernel_seconds) best = std::move(one);
  }
  return best;
}

// What a session makes of the signature: the same passes, and nodes of the same names.
class Compiled {
 public:
  explicit Compiled(const BenchedModel& model)
      : pool_(1), device_(0, pool_), kernels_(standard_kernels(), device_) {
    CompileOptions options{.rewrites = RewriteSwitches::from_environment(), .bodies = &bodies_};
    std::shared_lock lock(model.graph->mutex());
    graph = compile_subgraph(model.feeds(), model.fetches(), {}, options, kernels_, nullptr);
  }
  Subgraph graph;

 private:
  ThreadPool pool_;
  CpuDevice device_;
  KernelCache kernels_;
  InlinedBodies bodies_;
};

// Sizes of what nodes gave out, by name.
using Sizes = std::unordered_map<std::string, std::vector<TensorSize>>;

std::vector<TensorSize> sizes_of(const NodeStats& node) {
  std::vector<TensorSize> sizes;
  for (const NodeStats::OutputStats& output : node.outputs)
    sizes.push_back({base_type(output.type), Shape(output.shape)});
  return sizes;
}

class CostsOfNodes {
 public:
  CostsOfNodes(const Subgraph& graph, const StepStats& stats, std::span<const Tensor> feeds)
      : graph_(graph), feeds_(feeds) {
    for (const NodeStats& node : stats.nodes) made_.try_emplace(node.node, sizes_of(node));
    for (const Subgraph::Item& item : graph.items)
      if (item.is_plain()) items_.try_emplace(item.node->name(), &item);
  }

  OpCost of(const NodeStats& node) const {
    static const AttrMap kNoAttributes;
    const auto it = items_.find(node.node);
    const Subgraph::Item* const item = it == items_.end() ? nullptr : it->second;
    std::vector<TensorSize> inputs;
    if (item != nullptr)
      for (const Subgraph::Edge& edge : item->inputs) inputs.push_back(size_of(edge));
    const std::vector<TensorSize> outputs = sizes_of(node);
    OpCost cost = op_cost({.op = node.op,
                           .attrs = item == nullptr ? kNoAttributes : item->node->attrs(),
                           .inputs = inputs,
                           .outputs = outputs,
                           .traits = item == nullptr ? 0 : item->node->op().traits});
    if (item == nullptr) cost.is_known = false;  // in the body of a function: no inputs are known
    return cost;
  }

 private:
  TensorSize size_of(const Subgraph::Edge& edge) const {
    const Subgraph::Item& item = graph_.items[static_cast<std::size_t>(edge.item)];
    const auto of = [](const Tensor& value) { return TensorSize{value.dtype(), value.shape()}; };
    if (item.constant) return of(*item.constant);
    if (item.feed >= 0) return of(feeds_[static_cast<std::size_t>(item.feed)]);
    const auto it = made_.find(item.node->name());
    const auto output = static_cast<std::size_t>(edge.output);
    return it == made_.end() || output >= it->second.size() ? TensorSize{} : it->second[output];
  }

  const Subgraph& graph_;
  std::span<const Tensor> feeds_;
  Sizes made_;
  std::unordered_map<std::string, const Subgraph::Item*> items_;
};

DType type_of(const NodeStats& node) {
  return node.outputs.empty() ? DType::f32 : base_type(node.outputs[0].type);
}

void add(KernelShare& sum, const KernelShare& part) {
  // What most of the time of a sum is limited by.
  if (part.least_seconds > sum.least_seconds) sum.by_memory = part.by_memory;
  sum.calls += part.calls;
  sum.seconds += part.seconds;
  sum.flops += part.flops;
  sum.bytes += part.bytes;
  sum.least_seconds += part.least_seconds;
  sum.is_known = sum.is_known && part.is_known;
}

std::vector<KernelShare> sorted(const std::map<std::string, KernelShare>& shares) {
  std::vector<KernelShare> all;
  for (const auto& [name, share] : shares) all.push_back(share);
  std::ranges::stable_sort(all, std::greater<>(), &KernelShare::seconds);
  return all;
}

}  // namespace

Explanation explain(const BenchedModel& model, std::span<const Tensor> feeds, const Peaks& peaks,
                    int runs) {
  const TracedStep step = best_step(model, feeds, runs);
  const Compiled compiled(model);
  const CostsOfNodes costs(compiled.graph, step.stats, feeds);
  std::map<std::string, KernelShare> by_op, by_node;
  for (const NodeStats& node : step.stats.nodes) {
    const OpCost cost = costs.of(node);
    const Roofline roof = roofline(cost, type_of(node), peaks);
    const KernelShare share{.op = node.op,
                            .node = node.node,
                            .calls = 1,
                            .seconds = static_cast<double>(node.nanos) * 1e-9,
                            .flops = cost.flops,
                            .bytes = cost.bytes,
                            .least_seconds = roof.seconds,
                            .by_memory = roof.by_memory,
                            .is_known = cost.is_known};
    add(by_op.try_emplace(node.op, KernelShare{.op = node.op}).first->second, share);
    add(by_node.try_emplace(node.node, KernelShare{.op = node.op, .node = node.node}).first->second,
        share);
  }
  Explanation explanation{.nodes = static_cast<int>(by_node.size()),
                          .step_seconds = step.seconds,
                          .kernel_seconds = step.kernel_seconds,
                          .ops = sorted(by_op),
                          .kernels = sorted(by_node),
                          .peaks = peaks};
  for (const Subgraph::Fired& fired : compiled.graph.fired)
    explanation.passes.push_back({fired.rewrite, fired.places});
  return explanation;
}

}  // namespace rill::inspect
