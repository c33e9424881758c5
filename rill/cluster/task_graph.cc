#include "rill/cluster/task_graph.h"

#include <algorithm>
#include <optional>
#include <shared_mutex>

#include "rill/base/clock.h"
#include "rill/graph/graph_def.h"
#include "rill/kernel/kernel_fit.h"
#include "rill/kernel/kernel_registry.h"
#include "rill/ops/register.h"
#include "rill/ops/register_kernels.h"
#include "rill/passes/watch_tensors.h"
#include "rill/runtime/compile/kernel_memory.h"
#include "rill/runtime/executor/memory_report.h"
#include "rill/runtime/executor/run_partitions.h"
#include "rill/runtime/executor/run_plan.h"
#include "rill/runtime/function/session_background.h"
#include "rill/runtime/placement/partition_graphs.h"
#include "rill/runtime/session/debugged_plans.h"
#include "tensorflow/core/framework/graph.pb.h"

namespace rill::cluster {
namespace {

std::unique_ptr<Graph> imported(const tensorflow::GraphDef& def) {
  auto graph = std::make_unique<Graph>(standard_ops());
  import_graph_def(*graph, def, {.use_shapes = false, .internal_names = true});
  return graph;
}

// What nothing else waits for; the rest runs because of it.
std::vector<Node*> sinks_of(const Graph& graph) {
  std::vector<char> is_read(static_cast<std::size_t>(graph.node_count()));
  for (const Node* node : graph.nodes()) {
    for (const Output& input : node->inputs())
      is_read[static_cast<std::size_t>(input.node->id())] = 1;
    for (const Node* control : node->control_inputs())
      is_read[static_cast<std::size_t>(control->id())] = 1;
  }
  std::vector<Node*> sinks;
  for (Node* node : graph.nodes())
    if (is_read[static_cast<std::size_t>(node->id())] == 0) sinks.push_back(node);
  return sinks;
}

CompileOptions with_bodies(CompileOptions passes, InlinedBodies& bodies,
                           const DebugOptions& watches) {
  if (!watches.is_empty()) {  // the nodes that the program knows by name
    passes.fold = passes.share = passes.simplify = false;
    passes.rewrites.off.insert("all");
    passes.bodies = nullptr;
    return passes;
  }
  if (passes.bodies == nullptr) passes.bodies = &bodies;
  // What is seen here of side effects is not all that the order of a step depends on.
  passes.rewrites.off.insert("relax_control_edges");
  return passes;
}

}  // namespace

TaskGraph::TaskGraph(const tensorflow::GraphDef& def, TaskParts parts, const CompileOptions& passes,
                     DebugOptions watches)
    : parts_(std::move(parts)),
      graph_(imported(def)),
      kernels_(standard_kernels(), parts_.devices, parts_.kernels),
      placer_(*graph_, parts_.devices, standard_kernels(), {}),
      passes_(with_bodies(passes, bodies_, watches)),
      remote_(parts_.session, parts_.links, graph_->functions()),
      functions_(*graph_, kernels_, *parts_.pool, passes_, parts_.may_spread, *parts_.resources),
      watches_(std::move(watches)) {
  functions_.call_remotely_by(&remote_);
  plan_ = watches_.is_empty()
              ? compile_plan(*graph_, {}, {}, sinks_of(*graph_), passes_, kernels_, &placer_)
              : watched_plan();
}

std::shared_ptr<Plan> TaskGraph::watched_plan() {
  const std::shared_lock lock(graph_->mutex());
  Subgraph part = compile_subgraph({}, {}, sinks_of(*graph_), passes_, kernels_, &placer_);
  const std::vector<std::string> devices = kernels_.device_names();
  watch_tensors(
      part, watches_,
      {.devices = devices,
       .can_run =
           [&](const Subgraph::Item& item) {
             return kernel_fits(kernels_.registry(), *item.node,
                                kernels_.device(item.device).type());
           },
       .has_own_memory =
           [&](int device) { return kernels_.device(device).memory_kind() != MemoryKind::host; }});
  watched_graphs_ = partition_graphs(part, {}, *graph_, devices, KernelMemory(kernels_));
  return plan_of(part, graph_->registry(), 0, passes_, kernels_);
}

TaskGraph::~TaskGraph() {
  functions_.background().close();
  functions_.background().wait();
}

void TaskGraph::run_kernels(StepContext& step, Workspace& workspace, Rendezvous& rendezvous,
                            const ExecutorOptions& options) {
  if (plan_->helpers != nullptr)
    return run_partitions(*plan_, workspace, step, rendezvous, *parts_.pool, *parts_.threads,
                          parts_.may_spread, options);
  // Who waits for another task is woken when the step is cancelled.
  const std::int64_t wake = workspace.cancellation.on_cancel([&] {
    rendezvous.abort(std::make_exception_ptr(Error(Code::kCancelled, "The step was cancelled.")));
  });
  try {
    run_plan(*plan_, workspace, step, *parts_.pool, parts_.may_spread, options);
  } catch (...) {
    workspace.cancellation.forget(wake);
    throw;
  }
  workspace.cancellation.forget(wake);
}

void TaskGraph::run(std::int64_t step_id, Rendezvous& rendezvous, StepStats* stats) {
  auto workspace = plan_->take_workspace();
  StepCanceller* const canceller = StepCanceller::of_this_thread();
  if (canceller != nullptr) canceller->enter(workspace->cancellation);
  const auto leave = [&] {
    if (canceller != nullptr) canceller->leave();
  };
  StepFunctions functions(functions_, 0, stats != nullptr);
  StepContext step{.step_id = step_id,
                   .resources = parts_.resources.get(),
                   .step_resources = &workspace->step_resources,
                   .cancellation = &workspace->cancellation,
                   .rendezvous = &rendezvous,
                   .functions = &functions};
  StepTrace trace;
  const ExecutorOptions options{.trace = stats == nullptr ? nullptr : &trace,
                                .client_may_send = true,
                                .newer_loop_numbers = parts_.newer_loop_numbers};
  std::optional<DebugPublication> publication;
  if (!watches_.is_empty()) publication.emplace(watches_, nullptr, watched_graphs_, wall_micros());
  try {
    run_kernels(step, *workspace, rendezvous, options);
  } catch (const Error& error) {
    leave();
    if (error.code() != Code::kResourceExhausted) throw;
    throw error.with_context(memory_report(*plan_, *workspace, *parts_.resources));
  } catch (...) {
    leave();
    throw;
  }
  leave();
  if (stats != nullptr) {
    functions.move_trace_to(trace);
    trace.move_to(*stats);
  }
  workspace->step_resources.clear_all();
  if (!workspace->cancellation.cancelled()) plan_->give_back(std::move(workspace));
}

}  // namespace rill::cluster
