#include "rill/inspect/explain.h"

#include <algorithm>
#include <map>
#include <shared_mutex>
#include <unordered_map>

#include "rill/base/clock.h"
#include "rill/base/thread_pool.h"
#include "rill/ops/fusion/rewrite_switches.h"
#include "rill/ops/register.h"
#include "rill/ops/register_kernels.h"
#include "rill/runtime/compile/compile.h"
#include "rill/runtime/memory/cpu_device.h"

namespace rill::inspect {
namespace {

// Several runs of a step: what ran, and the least seconds that each node took in any of them.
struct TracedSteps {
  StepStats stats;  // of the first
  std::unordered_map<std::string, double> seconds;
  double step_seconds = 0, kernel_seconds = 0;
};

std::unordered_map<std::string, double> seconds_of(const StepStats& stats) {
  std::unordered_map<std::string, double> seconds;
  for (const NodeStats& node : stats.nodes)
    seconds[std::string(node.node)] += static_cast<double>(node.nanos) * 1e-9;
  return seconds;
}

TracedSteps traced_steps(const BenchedModel& model, std::span<const Tensor> feeds, int runs) {
  const Callable step = model.session->make_callable(model.feeds(), model.fetches());
  step(feeds);  // compiles, fills caches
  TracedSteps all;
  for (int i = 0; i < std::max(1, runs); ++i) {
    StepStats stats;
    const std::int64_t begin = monotonic_nanos();
    step(feeds, {.trace = true}, &stats);
    const double taken = static_cast<double>(monotonic_nanos() - begin) * 1e-9;
    all.step_seconds = i == 0 ? taken : std::min(all.step_seconds, taken);
    for (const auto& [node, seconds] : seconds_of(stats)) {
      double& least = all.seconds.try_emplace(node, seconds).first->second;
      least = std::min(least, seconds);
    }
    if (i == 0) all.stats = std::move(stats);
  }
  for (const auto& [node, seconds] : all.seconds) all.kernel_seconds += seconds;
  return all;
}

// What a session makes of the signature: the same passes, and nodes of the same names.
class Compiled {
 public:
  explicit Compiled(const BenchedModel& model)
      : pool_(1), device_(0, pool_), kernels_(standard_kernels(), device_) {
    CompileOptions options{.rewrites = rewrite_switches(), .bodies = &bodies_};
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
    sizes.push_back({base_type(output.type), output.shape});
  return sizes;
}

class CostsOfNodes {
 public:
  CostsOfNodes(const Subgraph& graph, const StepStats& stats, std::span<const Tensor> feeds)
      : graph_(graph), feeds_(feeds) {
    for (const NodeStats& node : stats.nodes)
      made_.try_emplace(std::string(node.node), sizes_of(node));
    for (const Subgraph::Item& item : graph.items)
      if (item.is_plain()) items_.try_emplace(item.node->name(), &item);
  }

  OpCost of(const NodeStats& node) const {
    static const AttrMap kNoAttributes;
    const auto it = items_.find(std::string(node.node));
    const Subgraph::Item* const item = it == items_.end() ? nullptr : it->second;
    std::vector<TensorSize> inputs;
    if (item != nullptr)
      for (const Subgraph::Edge& edge : item->inputs) inputs.push_back(size_of(edge));
    const std::vector<TensorSize> outputs = sizes_of(node);
    const Registry& ops = standard_ops();
    OpCost cost =
        op_cost({.op = item == nullptr ? ops.find(std::string(node.op)) : &item->node->op(),
                 .attrs = item == nullptr ? kNoAttributes : item->node->attrs(),
                 .inputs = inputs,
                 .outputs = outputs,
                 .ops = ops});
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
  sum.calls += part.calls;
  sum.seconds += part.seconds;
  sum.flops += part.flops;
  sum.bytes += part.bytes;
  sum.min_seconds += part.min_seconds;
  sum.memory_seconds += part.memory_seconds;
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
  const TracedSteps steps = traced_steps(model, feeds, runs);
  const Compiled compiled(model);
  const CostsOfNodes costs(compiled.graph, steps.stats, feeds);
  std::map<std::string, KernelShare> by_op, by_node;
  for (const NodeStats& node : steps.stats.nodes) {
    const OpCost cost = costs.of(node);
    const Roofline roof = roofline(cost, type_of(node), peaks);
    const std::string name(node.node);
    add(by_node.try_emplace(name, KernelShare{.op = std::string(node.op), .node = name})
            .first->second,
        {.calls = 1,
         .flops = cost.flops,
         .bytes = cost.bytes,
         .min_seconds = roof.seconds,
         .memory_seconds = roof.by_memory ? roof.seconds : 0,
         .is_known = cost.is_known});
  }
  for (auto& [name, share] : by_node) {
    share.seconds = steps.seconds.at(name);
    add(by_op.try_emplace(share.op, KernelShare{.op = share.op}).first->second, share);
  }
  Explanation explanation{.nodes = static_cast<int>(by_node.size()),
                          .step_seconds = steps.step_seconds,
                          .kernel_seconds = steps.kernel_seconds,
                          .ops = sorted(by_op),
                          .kernels = sorted(by_node),
                          .peaks = peaks};
  for (const Subgraph::Fired& fired : compiled.graph.fired)
    explanation.passes.push_back({fired.rewrite, fired.places});
  return explanation;
}

}  // namespace rill::inspect
