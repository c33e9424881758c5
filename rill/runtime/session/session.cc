#include "rill/runtime/session/session.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <numeric>
#include <shared_mutex>
#include <unordered_map>

#include "rill/base/blocking.h"
#include "rill/base/clock.h"
#include "rill/base/environment.h"
#include "rill/base/error_classes.h"
#include "rill/base/log.h"
#include "rill/base/process_figures.h"
#include "rill/kernel/device_type.h"
#include "rill/kernel/device_use.h"
#include "rill/kernel/kernel_fit.h"
#include "rill/ops/fusion/rewrite_switches.h"
#include "rill/ops/register_kernels.h"
#include "rill/passes/watch_tensors.h"
#include "rill/runtime/compile/compile.h"
#include "rill/runtime/compile/kernel_memory.h"
#include "rill/runtime/executor/memory_report.h"
#include "rill/runtime/executor/nan_search.h"
#include "rill/runtime/executor/run_partitions.h"
#include "rill/runtime/executor/run_plan.h"
#include "rill/runtime/function/function_runtime.h"
#include "rill/runtime/function/session_background.h"
#include "rill/runtime/memory/cpu_device.h"
#include "rill/runtime/memory/resource_store.h"
#include "rill/runtime/placement/partition_graphs.h"
#include "rill/runtime/plan/plan_count.h"
#include "rill/runtime/session/cost_models.h"
#include "rill/runtime/session/debugged_plans.h"
#include "rill/runtime/session/growth_watch.h"
#include "rill/runtime/session/initializer_hint.h"
#include "rill/runtime/session/partial_run.h"
#include "rill/runtime/session/run_observer.h"
#include "rill/runtime/session/session_target.h"
#include "rill/runtime/step/step_canceller.h"

namespace rill {
namespace {

// A signature as numbers: for each tensor the node's id and output, groups ended by -1.
using Signature = std::vector<std::int64_t>;

struct SignatureHash {
  std::size_t operator()(const Signature& signature) const {
    std::size_t h = 14695981039346656037u;
    for (const std::int64_t part : signature)
      h = (h ^ static_cast<std::size_t>(part)) * 1099511628211u;
    return h ^ (h >> 29);
  }
};

struct SignatureLists {
  std::span<const Output> feeds, fetches;
  std::span<Node* const> targets;
};

// Kept for their memory. Inlined, they would be looked up in the thread's memory at each use.
struct Lists {
  std::vector<Output> feeds;
  Signature signature;
};
[[gnu::noinline]] Lists& lists_of_thread() {
  thread_local Lists lists;
  return lists;
}

// Every session of the process that has not been destroyed, for Session::reset.
struct OpenSessions {
  std::mutex mutex;
  std::vector<Session*> sessions;
};
OpenSessions& open_sessions() {
  static OpenSessions& open = *new OpenSessions;  // outlives sessions in static storage
  return open;
}

std::atomic<std::int64_t> compiled_plans = 0;

FindNan wanted_search(const SessionOptions& options) {
  const char* const said = std::getenv("RILL_FIND_NAN");
  if (options.find_nan != FindNan::off || said == nullptr) return options.find_nan;
  const std::string_view word = said;
  return word == "stop"                                 ? FindNan::stop
         : word.empty() || word == "0" || word == "off" ? FindNan::off
                                                        : FindNan::report;
}

std::int64_t tensor_key(Output output) {
  return static_cast<std::int64_t>(output.node->id()) << 24 | output.index;
}

}  // namespace

std::int64_t compiled_plan_count() { return compiled_plans; }

struct Session::Impl {
  Impl(std::shared_ptr<Graph> graph_arg, const SessionOptions& options_arg)
      : graph(std::move(graph_arg)),
        options(options_arg),
        own_pool(options.intra_op_threads > 0
                     ? std::make_unique<ThreadPool>(options.intra_op_threads)
                     : nullptr),
        pool(own_pool ? *own_pool : shared_pool()),
        resources(options.default_container),
        kernels(standard_kernels(), make_devices()),
        placer(*graph, all_devices(), standard_kernels(),
               {.soft = options.allow_soft_placement,
                .log = options.log_device_placement,
                .preference = preferences(),
                .runs_functions =
                    [this](const Node& caller, const std::string& device_type) {
                      return functions.functions().have_kernels(caller, device_type);
                    }}),
        passes{.fold = options.fold,
               .share = options.share,
               .simplify = options.simplify,
               .rewrites = rewrite_switches(options.rewrites_off, options.rewrites_on),
               .bodies = options.inline_calls ? &bodies : nullptr,
               .keeps_bad_values = wanted_search(options) != FindNan::off},
        functions(*graph, kernels, pool, passes, options.inter_op_threads >= 0, resources),
        plain_functions(functions, 0, false),
        growth(*graph),
        costs(options.build_cost_model, options.build_cost_model_after),
        nan_reports(wanted_search(options), options.on_nan, kernels.registry(), kernels.device()),
        finalize_after(options.finalize_after > 0 ? options.finalize_after
                                                  : environment_number("RILL_FINALIZE_AFTER")) {}

  std::vector<Device*> all_devices() const {
    std::vector<Device*> all;
    for (const auto& device : devices) all.push_back(device.get());
    for (const auto& device : plug_ins) all.push_back(device.get());
    return all;
  }

  // The CPUs come first among the devices, since the client is on the first of them; but nodes
  // rather go where kernels are faster.
  std::vector<int> preferences() const {
    std::vector<int> order = preferred;
    for (std::size_t i = 0; i < devices.size() + plug_ins.size(); ++i)
      if (std::ranges::find(preferred, static_cast<int>(i)) == preferred.end())
        order.push_back(static_cast<int>(i));
    return order;
  }

  std::optional<int> count_of(const std::string& type) const {
    const auto it = options.device_count.find(type);
    return it == options.device_count.end() ? std::nullopt : std::optional(it->second);
  }

  void add_plug_in(DeviceType& type, const DeviceSlice& slice) {
    if (type.priority() > 0)
      preferred.push_back(static_cast<int>(devices.size() + plug_ins.size()));
    plug_ins.push_back(type.open(slice, pool, options.guard.get()));
    memory_bytes.push_back(slice.memory_bytes > 0 ? slice.memory_bytes
                                                  : type.memory_bytes(slice.card));
  }

  std::vector<Device*> make_devices() {
    const int count = std::max(1, count_of("CPU").value_or(1));
    for (int i = 0; i < count; ++i)
      devices.push_back(std::make_unique<CpuDevice>(i, pool, options.guard.get()));
    std::string mapping;
    for (const auto& type : device_types())
      for (const DeviceSlice& slice : device_slices(*type, count_of(type->name()))) {
        add_plug_in(*type, slice);
        mapping += str_cat("\n", plug_ins.back()->name(), " -> card ", slice.card);
      }
    if (options.log_device_placement)
      log(LogLevel::kInfo, mapping.empty() ? "Device mapping: no known devices."
                                           : str_cat("Device mapping:", mapping));
    return all_devices();
  }

  void sign(Signature& signature, std::span<const Output> feeds, std::span<const Output> fetches,
            std::span<Node* const> targets, bool trusts_shapes) const;
  // Stays where it is for as long as the session: plans are never given up.
  const std::shared_ptr<Plan>& plan(std::span<const Output> feeds, std::span<const Output> fetches,
                                    std::span<Node* const> targets, bool trusts_shapes = true);
  std::vector<std::string> partition_graphs(std::span<const Output> feeds,
                                            std::span<const Output> fetches,
                                            std::span<Node* const> targets);
  StepContext step_context(Workspace& workspace);
  ExecutorOptions executor_options(const RunOptions& run_options, StepTrace* trace) const;
  void note_run();
  void check_owner(const Output& output) const;
  std::vector<Tensor> execute(Plan& plan, const RunOptions& run_options, StepStats* stats,
                              FunctionRef<void(Workspace&)> set_feeds);
  // The same for who wants to know what happened; `of` is the signature of the plan.
  std::vector<Tensor> execute_told(Plan& plan, const SignatureLists& of, RunOptions run_options,
                                   StepStats& stats, FunctionRef<void(Workspace&)> set_feeds);
  void run_step(Plan& plan, Workspace& workspace, const RunOptions& run_options, StepStats* stats);
  void run_kernels(Plan& plan, Workspace& workspace, StepContext& step, bool may_spread,
                   const ExecutorOptions& executor);
  void run_searching(Plan& plan, Workspace& workspace, StepContext& step, bool may_spread,
                     StepFunctions& functions, ExecutorOptions executor);
  DebuggedPlan debugged_plan(std::span<const Output> feeds, std::span<const Output> fetches,
                             std::span<Node* const> targets, const DebugOptions& watches);
  std::vector<Tensor> run_debugged(std::vector<Feed> feeds, std::span<const Output> fetches,
                                   std::span<Node* const> targets, const RunOptions& run_options,
                                   StepStats* stats);
  void check_open();
  std::vector<Tensor> run_elsewhere(std::span<const Feed> feeds, std::span<const Output> fetches,
                                    std::span<Node* const> targets, const RunOptions& run_options,
                                    StepStats* stats);

  const std::shared_ptr<Graph> graph;
  const SessionOptions options;
  std::vector<std::unique_ptr<CpuDevice>> devices;
  std::unique_ptr<ThreadPool> own_pool;
  ThreadPool& pool;
  std::vector<std::unique_ptr<PlugInDevice>> plug_ins;
  std::vector<std::int64_t> memory_bytes;  // of each of them; 0: unknown
  std::vector<int> preferred;              // positions of the devices that nodes prefer to CPUs
  ResourceStore resources;
  KernelCache kernels;
  Placer placer;
  InlinedBodies bodies;
  const CompileOptions passes;
  FunctionRuntime functions;
  StepFunctions plain_functions;  // of steps without a limit or statistics
  StepThreads threads;            // for steps that span devices
  GrowthWatch growth;
  CostModels costs;
  NanReports nan_reports;
  const int finalize_after;

  std::mutex mutex;
  std::unordered_map<Signature, std::shared_ptr<Plan>, SignatureHash> plans;
  DebuggedPlans debugged;
  std::vector<StepCancellation*> active;
  bool closed = false;
  std::atomic<std::int64_t> next_step{1};
  std::atomic<int> runs{0};  // counted only where the graph is to be finalised
  PartialRuns partial_runs;
  std::unique_ptr<SessionTarget> target;  // who runs the steps; null: this session
};

namespace {

void check_feed_type(const Output& target, const Tensor& value) {
  require(value.dtype() == base_type(target.dtype()), "Tensor ", target, ", specified as a feed, ",
          "expects dtype ", base_type(target.dtype()), " but was given ", value.dtype());
}

// A value of another shape than the graph says may be fed, as clients of a model server do; what
// the graph makes of it decides. Only a partial run, which is compiled before its feeds are there,
// holds them to it.
bool has_static_shape(const Output& target, const Tensor& value) {
  return target.shape().accepts(value.shape());
}

void check_partial_feed(const Output& target, const Tensor& value) {
  check_feed_type(target, value);
  require(has_static_shape(target, value), "Cannot feed value of shape ", value.shape(),
          " for Tensor ", target, ", which has shape ", target.shape());
}

// Fetched values never alias state, feeds or constants.
Tensor fetched(Value& value) {
  if (value.ref != nullptr) {
    const Tensor current = value.ref->read();
    if (!current.has_value())
      raise(Code::kFailedPrecondition, "Attempting to use uninitialized value ", value.ref->name());
    return current.clone();
  }
  Tensor tensor = value.tensor;
  value.tensor = Tensor();
  if (tensor.is_exclusive()) return tensor;
  Tensor copy = tensor.clone();
  value.tensor = std::move(tensor);
  return copy;
}

// A slot may be fetched more than once; its storage is handed out the first time. Nothing that this
// step made stays behind: a variable may hold the same storage, which the next step then copies, or
// takes for what it offered to a kernel.
std::vector<Tensor> fetched(const Plan& plan, Workspace& workspace) {
  const std::vector<int>& slots = plan.fetch_slots;
  std::vector<Tensor> results;
  results.reserve(slots.size());
  for (std::size_t i = 0; i < slots.size(); ++i) {
    Value& value = workspace.slots[static_cast<std::size_t>(slots[i])];
    const bool is_taken = value.ref == nullptr && !value.tensor.has_value();
    const auto first = is_taken ? std::ranges::find(slots, slots[i]) - slots.begin() : 0;
    if (is_taken && static_cast<std::size_t>(first) < i)
      results.push_back(results[static_cast<std::size_t>(first)].clone());
    else
      results.push_back(fetched(value));
  }
  for (const int slot : slots) {
    Value& value = workspace.slots[static_cast<std::size_t>(slot)];
    if (plan.writer[static_cast<std::size_t>(slot)] == Plan::kPreset) continue;
    if (value.tensor.has_value()) value.tensor.clear();
    if (value.ref != nullptr) value.ref.reset();
  }
  return results;
}

}  // namespace

void Session::Impl::check_owner(const Output& output) const {
  require(output.node != nullptr, "a feed or fetch names no node");
  require(&output.node->graph() == graph.get(), "Tensor ", output,
          " is not an element of this graph.");
}

void Session::Impl::sign(Signature& signature, std::span<const Output> feeds,
                         std::span<const Output> fetches, std::span<Node* const> targets,
                         bool trusts_shapes) const {
  signature.resize(feeds.size() + fetches.size() + targets.size() + 2 + (trusts_shapes ? 0 : 1));
  std::int64_t* at = signature.data();
  for (const std::span<const Output> outputs : {feeds, fetches}) {
    for (const Output& output : outputs) {
      check_owner(output);
      *at++ = tensor_key(output);
    }
    *at++ = -1;
  }
  for (Node* target : targets) {
    check_owner({target, 0});
    *at++ = target->id();
  }
  if (!trusts_shapes) *at++ = -1;
}

const std::shared_ptr<Plan>& Session::Impl::plan(std::span<const Output> feeds,
                                                 std::span<const Output> fetches,
                                                 std::span<Node* const> targets,
                                                 bool trusts_shapes) {
  Signature& signature = lists_of_thread().signature;
  sign(signature, feeds, fetches, targets, trusts_shapes);
  {
    std::lock_guard lock(mutex);
    if (closed) raise(Code::kCancelled, "Attempted to use a closed Session.");
    if (const auto it = plans.find(signature); it != plans.end()) return it->second;
  }
  const Signature key = signature;
  ++compiled_plans;
  CompileOptions how = passes;
  how.trusts_shapes = trusts_shapes;
  auto compiled = compile_plan(*graph, feeds, fetches, targets, how, kernels, &placer);
  std::lock_guard lock(mutex);
  return plans.emplace(key, std::move(compiled)).first->second;
}

namespace {

// Tells the figures of the process how much memory tensors take, ten times a second at most.
void show_memory(std::int64_t now) {
  constexpr std::int64_t kPauseNanos = 100'000'000;
  static std::atomic<std::int64_t> next = 0;
  std::int64_t due = next.load(std::memory_order_relaxed);
  if (now < due || !next.compare_exchange_strong(due, now + kPauseNanos)) return;
  const AllocatorStats memory = cpu_allocator().stats();
  process_figures().live_bytes.store(memory.live_bytes, std::memory_order_relaxed);
  process_figures().peak_bytes.store(memory.peak_bytes, std::memory_order_relaxed);
}

}  // namespace

std::vector<Tensor> Session::Impl::execute(Plan& plan, const RunOptions& run_options,
                                           StepStats* stats,
                                           FunctionRef<void(Workspace&)> set_feeds) {
  growth.before_run();
  auto workspace = plan.take_workspace();
  {
    std::lock_guard lock(mutex);
    if (closed) raise(Code::kCancelled, "Attempted to use a closed Session.");
    active.push_back(&workspace->cancellation);
  }
  StepCanceller* const canceller = StepCanceller::of_this_thread();
  if (canceller != nullptr) canceller->enter(workspace->cancellation);
  const auto leave = [&] {
    if (canceller != nullptr) canceller->leave();
    std::lock_guard lock(mutex);
    active.erase(std::ranges::find(active, &workspace->cancellation));
  };
  std::vector<Tensor> results;
  workspace->sample.begin();
  try {
    set_feeds(*workspace);
    run_step(plan, *workspace, run_options, stats);
    results = fetched(plan, *workspace);
  } catch (const Error& error) {
    process_figures().failed_steps.fetch_add(1, std::memory_order_relaxed);
    leave();
    if (const std::string hint = initializer_hint(error, *graph); !hint.empty())
      throw_as_class(error.with_context(hint));
    if (error.code() != Code::kResourceExhausted) rethrow_as_class(error);
    throw_as_class(error.with_context(memory_report(plan, *workspace, resources)));
  } catch (...) {
    leave();
    throw;  // the workspace goes with its half-done values
  }
  if (const std::int64_t now = workspace->sample.end(); now != 0) [[unlikely]]
    show_memory(now);
  leave();
  workspace->step_resources.clear_all();
  for (const int slot : plan.feed_slots) workspace->slots[static_cast<std::size_t>(slot)] = Value();
  // One that was cancelled in its last moment would cancel the next step too.
  if (!workspace->cancellation.cancelled()) plan.give_back(std::move(workspace));
  if (finalize_after > 0) note_run();
  return results;
}

std::vector<Tensor> Session::Impl::execute_told(Plan& plan, const SignatureLists& of,
                                                RunOptions run_options, StepStats& stats,
                                                FunctionRef<void(Workspace&)> set_feeds) {
  const bool is_measured = costs.begin_step(plan);
  run_options.trace |= is_measured;
  auto results = execute(plan, run_options, &stats, set_feeds);
  if (!is_measured && !run_options.output_partition_graphs) return results;
  auto graphs = partition_graphs(of.feeds, of.fetches, of.targets);
  if (is_measured) stats.cost_graph = costs.cost_graph(graphs, stats);
  if (run_options.output_partition_graphs) stats.partition_graphs = std::move(graphs);
  return results;
}

StepContext Session::Impl::step_context(Workspace& workspace) {
  return {.step_id = next_step.fetch_add(1, std::memory_order_relaxed),
          .resources = &resources,
          .step_resources = &workspace.step_resources,
          .cancellation = &workspace.cancellation,
          .functions = &plain_functions};
}

ExecutorOptions Session::Impl::executor_options(const RunOptions& run_options,
                                                StepTrace* trace) const {
  ExecutorOptions executor{.trace = trace};
  const std::int64_t timeout =
      run_options.timeout_ms > 0 ? run_options.timeout_ms : options.timeout_ms;
  if (timeout > 0) executor.deadline_nanos = monotonic_nanos() + timeout * 1'000'000;
  return executor;
}

void Session::Impl::run_step(Plan& plan, Workspace& workspace, const RunOptions& run_options,
                             StepStats* stats) {
  StepContext step = step_context(workspace);
  StepTrace trace;
  const bool is_traced = stats != nullptr && run_options.trace;
  const ExecutorOptions executor = executor_options(run_options, is_traced ? &trace : nullptr);
  StepFunctions step_functions(functions, executor.deadline_nanos, is_traced);
  step.functions = &step_functions;
  const int wanted_pool = run_options.inter_op_thread_pool;
  require(wanted_pool >= -1 && wanted_pool < options.inter_op_pool_count,
          "Invalid inter_op_thread_pool: ", wanted_pool);
  const bool may_spread = options.inter_op_threads >= 0 && wanted_pool >= 0;
  if (nan_reports.is_looking()) {
    run_searching(plan, workspace, step, may_spread, step_functions, executor);
  } else {
    run_kernels(plan, workspace, step, may_spread, executor);
  }
  if (!is_traced) return;
  step_functions.move_trace_to(trace);
  trace.move_to(*stats);
  if (stats->nodes.empty()) add_source(*stats, kernels.device_names().front());
}

void Session::Impl::run_kernels(Plan& plan, Workspace& workspace, StepContext& step,
                                bool may_spread, const ExecutorOptions& executor) {
  if (plan.helpers == nullptr) {
    run_plan(plan, workspace, step, pool, may_spread, executor);
  } else {
    LocalRendezvous rendezvous;
    run_partitions(plan, workspace, step, rendezvous, pool, threads, may_spread, executor);
  }
}

void Session::Impl::run_searching(Plan& plan, Workspace& workspace, StepContext& step,
                                  bool may_spread, StepFunctions& step_functions,
                                  ExecutorOptions executor) {
  NanSearch search(nan_reports);
  executor.nan_search = &search;
  step_functions.nan_search = &search;
  for (std::size_t i = 0; i < plan.feed_slots.size(); ++i)
    if (const int slot = plan.feed_slots[i]; slot >= 0)
      search.look_at_feed(plan.feed_names[i],
                          workspace.slots[static_cast<std::size_t>(slot)].tensor);
  run_kernels(plan, workspace, step, may_spread, executor);
  for (const int slot : plan.fetch_slots)
    search.look_at_fetch(workspace.slots[static_cast<std::size_t>(slot)].tensor);
}

// --- runs that are watched -----------------------------------------------------------------------

DebuggedPlan Session::Impl::debugged_plan(std::span<const Output> feeds,
                                          std::span<const Output> fetches,
                                          std::span<Node* const> targets,
                                          const DebugOptions& watches) {
  ++compiled_plans;
  CompileOptions how = passes;
  how.fold = how.share = how.simplify = false;  // the nodes that the program knows by name
  how.rewrites.off.insert("all");
  how.bodies = nullptr;
  const std::shared_lock lock(graph->mutex());
  Subgraph part = compile_subgraph(feeds, fetches, targets, how, kernels, &placer);
  const std::vector<std::string> devices = kernels.device_names();
  watch_tensors(
      part, watches,
      {.devices = devices,
       .can_run =
           [&](const Subgraph::Item& item) {
             return kernel_fits(kernels.registry(), *item.node, kernels.device(item.device).type());
           },
       .has_own_memory =
           [&](int device) { return kernels.device(device).memory_kind() != MemoryKind::host; }});
  DebuggedPlan made{.plan = plan_of(part, graph->registry(), feeds.size(), how, kernels)};
  made.graphs = rill::partition_graphs(part, fetches, *graph, devices, KernelMemory(kernels));
  return made;
}

void Session::Impl::check_open() {
  const std::lock_guard lock(mutex);
  if (closed) raise(Code::kCancelled, "Attempted to use a closed Session.");
}

std::vector<Tensor> Session::Impl::run_elsewhere(std::span<const Feed> feeds,
                                                 std::span<const Output> fetches,
                                                 std::span<Node* const> targets,
                                                 const RunOptions& run_options, StepStats* stats) {
  check_open();
  for (const Output& fetch : fetches) check_owner(fetch);
  for (Node* node : targets) check_owner({node, 0});
  try {
    return target->run(feeds, fetches, targets, run_options, stats);
  } catch (const Error& error) {
    if (const std::string hint = initializer_hint(error, *graph); !hint.empty())
      throw_as_class(error.with_context(hint));
    rethrow_as_class(error);
  }
}

std::vector<Tensor> Session::Impl::run_debugged(std::vector<Feed> feeds,
                                                std::span<const Output> fetches,
                                                std::span<Node* const> targets,
                                                const RunOptions& run_options, StepStats* stats) {
  check_open();
  // In TensorFlow's order, which numbers arguments and results.
  std::ranges::sort(feeds, {}, [](const Feed& feed) { return feed.target.name(); });
  std::vector<std::size_t> order(fetches.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return fetches[i].name(); });
  std::vector<Output> fed, fetched;
  DebuggedRun run{.global_step = run_options.debug.global_step, .micros = wall_micros()};
  for (const Feed& feed : feeds) {
    fed.push_back(feed.target);
    run.inputs.push_back(feed.target.name());
  }
  for (const std::size_t i : order) {
    check_owner(fetches[i]);
    fetched.push_back(fetches[i]);
    run.outputs.push_back(fetches[i].name());
  }
  for (Node* target : targets) {
    check_owner({target, 0});
    run.targets.push_back(target->name());
  }
  const std::string key =
      str_cat(join(run.inputs, ","), ";", join(run.outputs, ","), ";", join(run.targets, ","), ";",
              graph->node_count(), "\n", to_key(run_options.debug));
  if (run_options.debug.resets_disk_usage) reset_disk_usage();
  const auto plan =
      debugged.get(key, [&] { return debugged_plan(fed, fetched, targets, run_options.debug); });
  run.session_run = next_step.load(std::memory_order_relaxed);
  run.executor_step = plan->runs - 1;
  const DebugPublication publication(run_options.debug, &run, plan->graphs, run.micros);
  if (stats != nullptr) stats->partition_graphs = plan->graphs;
  auto sorted = execute(*plan->plan, run_options, stats, [&](Workspace& workspace) {
    for (std::size_t i = 0; i < feeds.size(); ++i)
      workspace.slots[static_cast<std::size_t>(plan->plan->feed_slots[i])].tensor = feeds[i].value;
  });
  std::vector<Tensor> results(sorted.size());
  for (std::size_t i = 0; i < sorted.size(); ++i) results[order[i]] = std::move(sorted[i]);
  return results;
}

void Session::Impl::note_run() {
  if (runs.fetch_add(1, std::memory_order_relaxed) + 1 == finalize_after) graph->finalize();
}

std::vector<std::string> Session::Impl::partition_graphs(std::span<const Output> feeds,
                                                         std::span<const Output> fetches,
                                                         std::span<Node* const> targets) {
  const std::shared_lock lock(graph->mutex());
  const Subgraph part = compile_subgraph(feeds, fetches, targets, passes, kernels, &placer);
  return rill::partition_graphs(part, fetches, *graph, kernels.device_names(),
                                KernelMemory(kernels));
}

Session::Session(std::shared_ptr<Graph> graph, const SessionOptions& options) {
  require(graph != nullptr, "a session needs a graph");
  const SessionTargetType* const elsewhere = session_target_type(options.target);
  impl_ = std::make_unique<Impl>(std::move(graph), options);
  if (elsewhere != nullptr) impl_->target = elsewhere->open(*impl_->graph, options);
  OpenSessions& open = open_sessions();
  std::lock_guard lock(open.mutex);
  open.sessions.push_back(this);
}

Session::~Session() {
  const Blocking blocking;
  observe_session(*this, nullptr);
  close();  // a partial run may wait for feeds that never come
  impl_->functions.background().wait();
  OpenSessions& open = open_sessions();
  std::lock_guard lock(open.mutex);
  std::erase(open.sessions, this);
}

Graph& Session::graph() const { return *impl_->graph; }

std::vector<Tensor> Session::run(std::span<const Feed> feeds, std::span<const Output> fetches,
                                 std::span<Node* const> targets, const RunOptions& options,
                                 StepStats* stats) {
  if (observer_count != 0) [[unlikely]]
    if (const RunObserverRef observer = observer_of(*this)) {
      const BeingObserved being;
      return observer->run(
          {*this, impl_->graph, impl_->options, feeds, fetches, targets, options, stats});
    }
  const Blocking blocking;
  std::vector<Output>& feed_outputs = lists_of_thread().feeds;
  feed_outputs.clear();
  for (const Feed& feed : feeds) feed_outputs.push_back(feed.target);
  for (const Output& target : feed_outputs) impl_->check_owner(target);
  bool trusts_shapes = true;
  for (const Feed& feed : feeds) {
    check_feed_type(feed.target, feed.value);
    trusts_shapes = trusts_shapes && has_static_shape(feed.target, feed.value);
  }
  if (impl_->target != nullptr)
    return impl_->run_elsewhere(feeds, fetches, targets, options, stats);
  if (!options.debug.is_empty())
    return impl_->run_debugged({feeds.begin(), feeds.end()}, fetches, targets, options, stats);
  Plan& plan = *impl_->plan(feed_outputs, fetches, targets, trusts_shapes);
  const auto set_feeds = [&](Workspace& workspace) {
    for (std::size_t i = 0; i < feeds.size(); ++i)
      workspace.slots[static_cast<std::size_t>(plan.feed_slots[i])].tensor = feeds[i].value;
  };
  if (stats == nullptr) return impl_->execute(plan, options, stats, set_feeds);
  std::vector<Output> fed;  // a kernel may run this session meanwhile, on this thread
  for (const Feed& feed : feeds) fed.push_back(feed.target);
  std::ranges::sort(fed, {}, &Output::name);  // as TensorFlow numbers arguments and results
  std::vector<Output> fetched(fetches.begin(), fetches.end());
  std::ranges::sort(fetched, {}, &Output::name);
  return impl_->execute_told(plan, {fed, fetched, targets}, options, *stats, set_feeds);
}

std::vector<Tensor> Session::run_fetches(const std::vector<Fetch>& fetches, const Feeds& feeds,
                                         const RunOptions& options, StepStats* stats) {
  if (fetches.size() == 1) {  // without the lists
    Node* const operation = fetches[0].operation();
    if (operation == nullptr) return run(feeds, {&fetches[0].tensor(), 1}, {}, options, stats);
    run(feeds, {}, {&operation, 1}, options, stats);
    return std::vector<Tensor>(1);
  }
  std::vector<Output> tensors;
  std::vector<Node*> operations;
  for (const Fetch& fetch : fetches) {
    if (fetch.operation() != nullptr) {
      operations.push_back(fetch.operation());
    } else {
      tensors.push_back(fetch.tensor());
    }
  }
  std::vector<Tensor> found = run(feeds, tensors, operations, options, stats);
  if (operations.empty()) return found;
  std::vector<Tensor> values;
  auto next = found.begin();
  for (const Fetch& fetch : fetches)
    values.push_back(fetch.operation() != nullptr ? Tensor() : std::move(*next++));
  return values;
}

std::vector<Tensor> Session::run(const std::vector<std::pair<std::string, Tensor>>& feeds,
                                 const std::vector<std::string>& fetches,
                                 const std::vector<std::string>& targets) {
  std::vector<Feed> feed_list;
  std::vector<Output> fetch_list;
  std::vector<Node*> target_list;
  for (const auto& [name, value] : feeds) feed_list.push_back({graph().tensor(name), value});
  for (const auto& name : fetches) fetch_list.push_back(graph().tensor(name));
  for (const auto& name : targets) target_list.push_back(&graph().at(name));
  return run(feed_list, fetch_list, target_list);
}

Callable Session::make_callable(std::span<const Output> feeds, std::span<const Output> fetches,
                                std::span<Node* const> targets) {
  Callable callable;
  callable.session_ = this;
  if (impl_->target == nullptr) callable.plan_ = impl_->plan(feeds, fetches, targets);
  callable.feeds_.assign(feeds.begin(), feeds.end());
  callable.fetches_.assign(fetches.begin(), fetches.end());
  callable.targets_.assign(targets.begin(), targets.end());
  return callable;
}

std::vector<Tensor> Callable::operator()(std::span<const Tensor> feeds, const RunOptions& options,
                                         StepStats* stats) const {
  require(feeds.size() == feeds_.size(), "a callable of ", feeds_.size(), " feeds was given ",
          feeds.size());
  bool trusts_shapes = true;
  for (std::size_t i = 0; i < feeds.size(); ++i) {
    check_feed_type(feeds_[i], feeds[i]);
    trusts_shapes = trusts_shapes && has_static_shape(feeds_[i], feeds[i]);
  }
  if (!options.debug.is_empty() || plan_ == nullptr) {
    std::vector<Feed> fed;
    for (std::size_t i = 0; i < feeds.size(); ++i) fed.push_back({feeds_[i], feeds[i]});
    return session_->run(fed, fetches_, targets_, options, stats);
  }
  const Blocking blocking;
  Plan& plan = trusts_shapes ? *plan_ : *session_->impl_->plan(feeds_, fetches_, targets_, false);
  const auto set_feeds = [&](Workspace& workspace) {
    for (std::size_t i = 0; i < feeds.size(); ++i)
      workspace.slots[static_cast<std::size_t>(plan.feed_slots[i])].tensor = feeds[i];
  };
  Session::Impl& impl = *session_->impl_;
  return stats == nullptr
             ? impl.execute(plan, options, nullptr, set_feeds)
             : impl.execute_told(plan, {feeds_, fetches_, targets_}, options, *stats, set_feeds);
}

std::string Session::partial_run_setup(std::span<const Output> feeds,
                                       std::span<const Output> fetches,
                                       std::span<Node* const> targets) {
  require(!fetches.empty() || !targets.empty(),
          "Must specify at least one target to fetch or execute.");
  for (const Output& feed : feeds) impl_->check_owner(feed);
  for (const Output& fetch : fetches) impl_->check_owner(fetch);
  for (Node* target : targets) impl_->check_owner({target, 0});
  if (impl_->target != nullptr) {
    const Blocking blocking;
    return impl_->target->partial_run_setup(feeds, fetches, targets);
  }
  impl_->growth.before_run();
  auto run = std::make_shared<PartialRun>(
      compile_partial(*impl_->graph, feeds, fetches, targets, impl_->passes, impl_->kernels,
                      impl_->placer),
      impl_->devices.front()->name(), std::vector(feeds.begin(), feeds.end()),
      std::vector(fetches.begin(), fetches.end()));
  std::lock_guard lock(impl_->mutex);
  if (impl_->closed) raise(Code::kCancelled, "Attempted to use a closed Session.");
  const StepContext step{.step_id = impl_->next_step.fetch_add(1, std::memory_order_relaxed),
                         .resources = &impl_->resources};
  PartialRun::start(run, step, impl_->pool, impl_->threads, impl_->executor_options({}, nullptr));
  return impl_->partial_runs.add(std::move(run), feeds, fetches, targets);
}

std::vector<Tensor> Session::partial_run(const std::string& handle, std::span<const Feed> feeds,
                                         std::span<const Output> fetches) {
  if (closed()) raise(Code::kCancelled, "Attempted to use a closed Session.");
  std::vector<Output> fed;
  std::vector<Tensor> values;
  for (const Feed& feed : feeds) {
    check_partial_feed(feed.target, feed.value);
    fed.push_back(feed.target);
    values.push_back(feed.value);
  }
  if (impl_->target != nullptr) {
    const Blocking blocking;
    return impl_->target->partial_run(handle, feeds, fetches);
  }
  return impl_->partial_runs.go_on(handle, fed, values, fetches);
}

std::int64_t Session::graph_extensions() const { return impl_->growth.extensions(); }

std::vector<DeviceInfo> Session::list_devices() const {
  if (impl_->target != nullptr) return impl_->target->list_devices();
  std::vector<DeviceInfo> list;
  for (const auto& device : impl_->devices)
    list.push_back({device->name(), device->type(), 256 << 20, 0});
  for (std::size_t i = 0; i < impl_->plug_ins.size(); ++i) {
    PlugInDevice& device = *impl_->plug_ins[i];
    const std::int64_t limit = device.allocator(MemoryKind::device).stats().limit_bytes;
    list.push_back({device.name(), device.type(), limit > 0 ? limit : impl_->memory_bytes[i],
                    device.incarnation()});
  }
  return list;
}

ResourceManager& Session::resources() const { return impl_->resources; }

void Session::close() {
  if (impl_->target != nullptr) impl_->target->close();
  std::lock_guard lock(impl_->mutex);
  impl_->closed = true;
  for (StepCancellation* step : impl_->active) step->cancel();
  impl_->partial_runs.cancel();
  impl_->functions.background().close();
}

bool Session::closed() const {
  std::lock_guard lock(impl_->mutex);
  return impl_->closed;
}

void Session::reset(const std::vector<std::string>& containers) {
  OpenSessions& open = open_sessions();
  std::lock_guard lock(open.mutex);
  for (Session* session : open.sessions) {
    if (containers.empty()) session->resources().clear("");
    for (const std::string& container : containers) session->resources().clear(container);
    session->close();
  }
}

void Session::reset(const SessionOptions& options, const std::vector<std::string>& containers) {
  const SessionTargetType* const elsewhere = session_target_type(options.target);
  if (elsewhere == nullptr) return reset(containers);
  const Blocking blocking;
  elsewhere->reset(options, containers);
}

}  // namespace rill
