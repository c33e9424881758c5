#include "rill/runtime/session.h"

#include <algorithm>
#include <mutex>
#include <unordered_map>

#include "rill/base/clock.h"
#include "rill/ops/register.h"
#include "rill/runtime/compile.h"
#include "rill/runtime/cpu_device.h"
#include "rill/runtime/memory_report.h"
#include "rill/runtime/resource_store.h"
#include "rill/runtime/run_plan.h"

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

// Every session of the process that has not been destroyed, for Session::reset.
struct OpenSessions {
  std::mutex mutex;
  std::vector<Session*> sessions;
};
OpenSessions& open_sessions() {
  static OpenSessions& open = *new OpenSessions;  // outlives sessions in static storage
  return open;
}

std::int64_t tensor_key(Output output) {
  return static_cast<std::int64_t>(output.node->id()) << 24 | output.index;
}

}  // namespace

struct Session::Impl {
  Impl(std::shared_ptr<Graph> graph_arg, const SessionOptions& options_arg)
      : graph(std::move(graph_arg)),
        options(options_arg),
        own_pool(options.intra_op_threads > 0
                     ? std::make_unique<ThreadPool>(options.intra_op_threads)
                     : nullptr),
        pool(own_pool ? *own_pool : shared_pool()),
        resources(options.default_container),
        kernels(standard_kernels(), *make_devices()) {}

  CpuDevice* make_devices() {
    const auto it = options.device_count.find("CPU");
    const int count = it == options.device_count.end() ? 1 : std::max(1, it->second);
    for (int i = 0; i < count; ++i) devices.push_back(std::make_unique<CpuDevice>(i, pool));
    return devices.front().get();
  }

  std::shared_ptr<Plan> plan(std::span<const Output> feeds, std::span<const Output> fetches,
                             std::span<Node* const> targets);
  void check_owner(const Output& output) const;
  std::vector<Tensor> execute(Plan& plan, const RunOptions& run_options, StepStats* stats,
                              FunctionRef<void(Workspace&)> set_feeds);
  void run_step(Plan& plan, Workspace& workspace, const RunOptions& run_options, StepStats* stats);

  const std::shared_ptr<Graph> graph;
  const SessionOptions options;
  std::vector<std::unique_ptr<CpuDevice>> devices;
  std::unique_ptr<ThreadPool> own_pool;
  ThreadPool& pool;
  ResourceStore resources;
  KernelCache kernels;

  std::mutex mutex;
  std::unordered_map<Signature, std::shared_ptr<Plan>, SignatureHash> plans;
  std::vector<StepCancellation*> active;
  bool closed = false;
  std::atomic<std::int64_t> next_step{1};
};

namespace {

void check_feed(const Output& target, const Tensor& value) {
  require(value.dtype() == base_type(target.dtype()), "Tensor ", target, ", specified as a feed, ",
          "expects dtype ", base_type(target.dtype()), " but was given ", value.dtype());
  require(target.shape().accepts(value.shape()), "Cannot feed value of shape ", value.shape(),
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

// A slot may be fetched more than once; its storage is handed out the first time.
std::vector<Tensor> fetched(const std::vector<int>& slots, Workspace& workspace) {
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
  return results;
}

}  // namespace

void Session::Impl::check_owner(const Output& output) const {
  require(output.node != nullptr, "a feed or fetch names no node");
  require(&output.node->graph() == graph.get(), "Tensor ", output,
          " is not an element of this graph.");
}

std::shared_ptr<Plan> Session::Impl::plan(std::span<const Output> feeds,
                                          std::span<const Output> fetches,
                                          std::span<Node* const> targets) {
  thread_local Signature signature;
  signature.clear();
  for (const Output& feed : feeds) {
    check_owner(feed);
    signature.push_back(tensor_key(feed));
  }
  signature.push_back(-1);
  for (const Output& fetch : fetches) {
    check_owner(fetch);
    signature.push_back(tensor_key(fetch));
  }
  signature.push_back(-1);
  for (Node* target : targets) {
    check_owner({target, 0});
    signature.push_back(target->id());
  }
  {
    std::lock_guard lock(mutex);
    if (closed) raise(Code::kCancelled, "Attempted to use a closed Session.");
    if (const auto it = plans.find(signature); it != plans.end()) return it->second;
  }
  const Signature key = signature;
  const CompileOptions passes{options.fold, options.share, options.simplify};
  auto compiled = compile_plan(*graph, feeds, fetches, targets, passes, kernels);
  std::lock_guard lock(mutex);
  return plans.emplace(key, std::move(compiled)).first->second;
}

std::vector<Tensor> Session::Impl::execute(Plan& plan, const RunOptions& run_options,
                                           StepStats* stats,
                                           FunctionRef<void(Workspace&)> set_feeds) {
  auto workspace = plan.take_workspace();
  {
    std::lock_guard lock(mutex);
    if (closed) raise(Code::kCancelled, "Attempted to use a closed Session.");
    active.push_back(&workspace->cancellation);
  }
  const auto leave = [&] {
    std::lock_guard lock(mutex);
    active.erase(std::ranges::find(active, &workspace->cancellation));
  };
  std::vector<Tensor> results;
  try {
    set_feeds(*workspace);
    run_step(plan, *workspace, run_options, stats);
    results = fetched(plan.fetch_slots, *workspace);
  } catch (const Error& error) {
    leave();
    if (error.code() != Code::kResourceExhausted) throw;
    throw error.with_context(memory_report(plan, *workspace, resources));
  } catch (...) {
    leave();
    throw;  // the workspace goes with its half-done values
  }
  leave();
  workspace->step_resources.clear_all();
  for (const int slot : plan.feed_slots) workspace->slots[static_cast<std::size_t>(slot)] = Value();
  plan.give_back(std::move(workspace));
  return results;
}

void Session::Impl::run_step(Plan& plan, Workspace& workspace, const RunOptions& run_options,
                             StepStats* stats) {
  StepContext step{.step_id = next_step.fetch_add(1, std::memory_order_relaxed),
                   .resources = &resources,
                   .step_resources = &workspace.step_resources,
                   .cancellation = &workspace.cancellation};
  ExecutorOptions executor{.stats = stats};
  const std::int64_t timeout =
      run_options.timeout_ms > 0 ? run_options.timeout_ms : options.timeout_ms;
  if (timeout > 0) executor.deadline_nanos = monotonic_nanos() + timeout * 1'000'000;
  run_plan(plan, workspace, step, pool, options.inter_op_threads >= 0, executor);
}

Session::Session(std::shared_ptr<Graph> graph, const SessionOptions& options) {
  require(graph != nullptr, "a session needs a graph");
  if (!options.target.empty() && options.target != "local")
    raise(Code::kUnimplemented, "session target '", options.target, "'");
  impl_ = std::make_unique<Impl>(std::move(graph), options);
  OpenSessions& open = open_sessions();
  std::lock_guard lock(open.mutex);
  open.sessions.push_back(this);
}

Session::~Session() {
  OpenSessions& open = open_sessions();
  std::lock_guard lock(open.mutex);
  std::erase(open.sessions, this);
}

Graph& Session::graph() const { return *impl_->graph; }

std::vector<Tensor> Session::run(std::span<const Feed> feeds, std::span<const Output> fetches,
                                 std::span<Node* const> targets, const RunOptions& options,
                                 StepStats* stats) {
  thread_local std::vector<Output> feed_outputs;
  feed_outputs.clear();
  for (const Feed& feed : feeds) feed_outputs.push_back(feed.target);
  const auto plan = impl_->plan(feed_outputs, fetches, targets);
  for (const Feed& feed : feeds) check_feed(feed.target, feed.value);
  return impl_->execute(*plan, options, stats, [&](Workspace& workspace) {
    for (std::size_t i = 0; i < feeds.size(); ++i)
      workspace.slots[static_cast<std::size_t>(plan->feed_slots[i])].tensor = feeds[i].value;
  });
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
  callable.plan_ = impl_->plan(feeds, fetches, targets);
  callable.feeds_.assign(feeds.begin(), feeds.end());
  return callable;
}

std::vector<Tensor> Callable::operator()(std::span<const Tensor> feeds, const RunOptions& options,
                                         StepStats* stats) const {
  require(feeds.size() == feeds_.size(), "a callable of ", feeds_.size(), " feeds was given ",
          feeds.size());
  for (std::size_t i = 0; i < feeds.size(); ++i) check_feed(feeds_[i], feeds[i]);
  return session_->impl_->execute(*plan_, options, stats, [&](Workspace& workspace) {
    for (std::size_t i = 0; i < feeds.size(); ++i)
      workspace.slots[static_cast<std::size_t>(plan_->feed_slots[i])].tensor = feeds[i];
  });
}

std::vector<DeviceInfo> Session::list_devices() const {
  std::vector<DeviceInfo> list;
  for (const auto& device : impl_->devices)
    list.push_back({device->name(), device->type(), 256 << 20, 0});
  return list;
}

ResourceManager& Session::resources() const { return impl_->resources; }

void Session::close() {
  std::lock_guard lock(impl_->mutex);
  impl_->closed = true;
  for (StepCancellation* step : impl_->active) step->cancel();
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

}  // namespace rill
