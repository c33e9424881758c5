#include "rill/api/core/default_graph.h"

#include <atomic>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "rill/api/core/collections.h"
#include "rill/api/core/outermost_graph.h"
#include "rill/base/error.h"
#include "rill/cluster/remote_session.h"
#include "rill/runtime/compile/kernel_evaluator.h"
#include "rill/runtime/eager/eager_context.h"

namespace rill {
namespace {

// A graph's address may be used again after its death; the weak pointer tells.
struct ScopeEntry {
  std::weak_ptr<Graph> graph;
  Scope scope;
};

struct ThreadState {
  std::vector<std::shared_ptr<Graph>> defaults;
  std::unordered_map<Graph*, ScopeEntry> scopes;
};

ThreadState& thread_state() {
  thread_local ThreadState state;
  return state;
}

struct ProcessGraph {
  std::mutex mutex;
  std::shared_ptr<Graph> graph;
};

ProcessGraph& process_graph() {
  // Never ends: it may hold objects of an interpreter that has ended by then.
  static ProcessGraph& instance = *new ProcessGraph;
  return instance;
}

std::atomic<bool> eager_by_default{false};

const std::shared_ptr<Graph>& process_default() {
  if (eager_by_default.load(std::memory_order_acquire)) return eager_graph();
  // Each thread keeps its own reference, so that a reset elsewhere leaves this one valid.
  thread_local std::shared_ptr<Graph> seen;
  ProcessGraph& process = process_graph();
  const std::lock_guard lock(process.mutex);
  if (!process.graph) process.graph = make_graph();
  seen = process.graph;
  return seen;
}

}  // namespace

std::shared_ptr<Graph> make_graph() {
  // Whoever has a graph may want to run it in a cluster.
  [[maybe_unused]] static const bool known = (cluster::register_remote_sessions(), true);
  return std::make_shared<Graph>(evaluated_ops());
}

const std::shared_ptr<Graph>& default_graph() {
  const auto& defaults = thread_state().defaults;
  return defaults.empty() ? process_default() : defaults.back();
}

const std::shared_ptr<Graph>& eager_graph() { return EagerContext::instance().graph(); }

bool executing_eagerly() { return default_graph()->is_eager(); }

void enable_eager_execution() {
  if (eager_by_default.load(std::memory_order_acquire)) return;
  ProcessGraph& process = process_graph();
  const std::lock_guard lock(process.mutex);
  if (process.graph != nullptr && process.graph->node_count() > 0)
    raise(Code::kFailedPrecondition,
          "tf.enable_eager_execution must be called at program startup.");
  eager_by_default.store(true, std::memory_order_release);
}

void disable_eager_execution() { eager_by_default.store(false, std::memory_order_release); }

const std::shared_ptr<Graph>& outermost_graph() {
  const auto& defaults = thread_state().defaults;
  for (auto it = defaults.rbegin(); it != defaults.rend(); ++it)
    if (!(*it)->capture) return *it;
  return process_default();
}

void reset_default_graph() {
  const bool is_nested = !thread_state().defaults.empty();
  if (executing_eagerly()) {  // all that the graph keeps
    Collections& kept = collections_of(*eager_graph());
    for (const std::string& name : kept.names()) kept.clear(name);
    if (is_nested) return;
  }
  if (is_nested)
    raise(Code::kFailedPrecondition,
          "Do not use tf.reset_default_graph() to clear nested graphs. If you need a cleared "
          "graph, exit the nesting and create a new graph.");
  ProcessGraph& process = process_graph();
  const std::lock_guard lock(process.mutex);
  process.graph = nullptr;
}

Scope& scope_of(const std::shared_ptr<Graph>& graph) {
  auto& scopes = thread_state().scopes;
  const auto found = scopes.find(graph.get());
  if (found != scopes.end() && !found->second.graph.expired()) return found->second.scope;
  std::erase_if(scopes, [](const auto& entry) { return entry.second.graph.expired(); });
  return scopes.emplace(graph.get(), ScopeEntry{graph, Scope(*graph)}).first->second.scope;
}

Scope& current_scope() { return scope_of(default_graph()); }

AsDefault::AsDefault(std::shared_ptr<Graph> graph) : depth_(thread_state().defaults.size()) {
  thread_state().defaults.push_back(std::move(graph));
}

AsDefault::~AsDefault() {
  auto& defaults = thread_state().defaults;
  if (defaults.size() > depth_) defaults.resize(depth_);
}

struct KeptDefaults::State {
  ThreadState thread;
};

KeptDefaults::KeptDefaults() : state_(std::make_unique<State>()) {}
KeptDefaults::~KeptDefaults() = default;
void KeptDefaults::swap() { std::swap(thread_state(), state_->thread); }

ScopeChange::ScopeChange(Scope inner)
    : graph_(default_graph()),
      outer_(current_scope()),
      origin_(inner.origin()),
      place_(inner.line()) {
  scope_of(graph_) = std::move(inner);
}

ScopeChange::~ScopeChange() { scope_of(graph_) = std::move(outer_); }

NameScope::NameScope(std::string_view name) : ScopeChange(current_scope().named(name)) {}

Scope here(std::source_location at) {
  const Scope& scope = current_scope();
  return scope.has_origin() ? scope : scope.from(origin_at(at));
}

Block::Block(std::string_view name, std::string_view otherwise, std::source_location at)
    : ScopeChange(here(at).named(name.empty() ? otherwise : name)),
      own_name_(current_scope().name() + "/") {}

MadeAt::MadeAt(OriginRef origin) : ScopeChange(current_scope().from(std::move(origin))) {}

MadeAt::MadeAt(std::source_location at) : ScopeChange(here(at)) {}

Dependencies::Dependencies(std::initializer_list<Dependency> items) {
  for (const Dependency& item : items) add(item);
}

void Dependencies::add(const Dependency& item) {
  require(item.node() != nullptr, "a dependency is empty");
  push_back(item.node());
}

ControlDependencies::ControlDependencies(const Dependencies& nodes)
    : ScopeChange(nodes.empty() ? current_scope().without_control()
                                : current_scope().with_control(nodes)) {}

DeviceScope::DeviceScope(std::string_view device)
    : ScopeChange(current_scope().on_device(std::string(device))) {}
DeviceScope::DeviceScope(DeviceFunction choose)
    : ScopeChange(current_scope().on_device(std::move(choose))) {}
DeviceScope::DeviceScope(std::nullptr_t) : ScopeChange(current_scope().without_device()) {}

ColocateWith::ColocateWith(Node& node, bool ignore_existing)
    : ScopeChange((ignore_existing ? current_scope().without_colocation() : current_scope())
                      .colocated_with(node)) {}

Output as_tensor(const Input& value, std::string_view name, DType wanted) {
  const Output result = value.as_output(current_scope(), name, wanted);
  require(wanted == DType::invalid || base_type(result.dtype()) == wanted,
          "Tensor conversion requested dtype ", numpy_name(wanted), " for Tensor with dtype ",
          numpy_name(base_type(result.dtype())), ": ", result);
  return result;
}

std::vector<Output> as_tensors(const Inputs& values, std::string_view name, DType wanted) {
  std::vector<Output> results;
  for (const Input& value : values)
    results.push_back(as_tensor(value, str_cat(name, "_", results.size()), wanted));
  return results;
}

}  // namespace rill
