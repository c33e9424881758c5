#include "rill/inspect/debugger/recorded_run.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <set>
#include <shared_mutex>

#include "rill/base/clock.h"
#include "rill/base/error.h"
#include "rill/base/subscript.h"
#include "rill/kernel/resource_manager.h"
#include "rill/kernel/variable.h"
#include "rill/ops/debug/debug_target.h"

namespace rill::debugger {
namespace {

bool calls_functions(const Node& node) {
  return std::ranges::any_of(node.attrs(), [](const auto& attr) {
    return attr.second.template get_if<FuncName>() != nullptr ||
           attr.second.template get_if<std::vector<FuncName>>() != nullptr;
  });
}

bool is_plain(DType type) {
  return !is_ref(type) && type != DType::resource && type != DType::variant;
}

// Whether running the node again may give something else.
bool gives_from_outside(const Node& node) {
  const Op& op = node.op();
  if (!op.has(kStateful) || calls_functions(node)) return false;
  if (op.has(kVariable | kReadsVariable | kNoLastingEffect | kAssigns | kControlFlow)) return false;
  for (int i = 0; i < node.output_count(); ++i)
    if (!is_plain(node.output_type(i))) return false;
  return node.output_count() > 0;
}

// What a run needs, as far as it is not fed.
class NeededNodes {
 public:
  explicit NeededNodes(const RecordedRun& run) {
    for (const Feed& feed : run.feeds) fed_.insert({feed.target.node, feed.target.index});
    const std::shared_lock lock(run.graph->mutex());
    for (const Output& fetch : run.fetches)
      if (!fed_.contains({fetch.node, fetch.index})) need(fetch.node);
    for (const Node* target : run.targets) need(target);
    while (!open_.empty()) {
      const Node* node = open_.back();
      open_.pop_back();
      for (const Output& input : node->inputs())
        if (!fed_.contains({input.node, input.index})) need(input.node);
      for (const Node* before : node->control_inputs()) need(before);
    }
  }
  const std::vector<const Node*>& nodes() const { return nodes_; }

 private:
  void need(const Node* node) {
    if (!seen_.insert(node).second) return;
    nodes_.push_back(node);
    open_.push_back(node);
  }

  std::set<std::pair<const Node*, int>> fed_;
  std::set<const Node*> seen_;
  std::vector<const Node*> nodes_, open_;
};

// Which tensors of the run are to be kept, by "node:slot"; tells what cannot be.
std::map<std::string, Output> wanted_tensors(RecordedRun* run) {
  std::map<std::string, Output> wanted;
  const NeededNodes needed(*run);
  for (const Node* node : needed.nodes()) {
    const bool gives = gives_from_outside(*node);
    if (gives && node->flow() == nullptr && node->is_feedable()) {
      for (int i = 0; i < node->output_count(); ++i) {
        const Output output{const_cast<Node*>(node), i};
        wanted.emplace(output.name(), output);
      }
      continue;
    }
    if (gives) run->inexact.push_back(node->name());
    if (node->op().has(kWritesFiles | kUsesNetwork | kUsesOpened | kRunsForeignCode))
      run->obstacle = str_cat("it writes or talks to what is outside: '", node->name(), "' (",
                              node->op().name, ")");
  }
  return wanted;
}

std::vector<RecordedRun::VariableValue> variables_of(const Session& session) {
  std::vector<RecordedRun::VariableValue> found;
  const Graph& graph = session.graph();
  const std::shared_lock lock(graph.mutex());
  for (int i = 0; i < graph.node_count(); ++i) {
    const Node& node = graph.node(i);
    const AttrMap& attrs = node.attrs();
    if (!node.op().has(kVariable) || attrs.find("container") == attrs.end() ||
        attrs.find("shared_name") == attrs.end())
      continue;
    const auto& container = node.attr<std::string>("container");
    const auto& shared = node.attr<std::string>("shared_name");
    const std::string& name = shared.empty() ? node.name() : shared;
    if (const auto variable = session.resources().find_as<VariableResource>(container, name))
      found.push_back({container, name, variable->read()});
  }
  return found;
}

// Keeps what a run publishes to a URL of its own.
class KeptTensors {
 public:
  KeptTensors() {
    static std::atomic<int> count = 0;
    key_ = str_cat("rill-record-", count++);
    set_debug_callback(key_, [this](const Watched& watched, const Tensor& value) {
      const std::lock_guard lock(mutex_);
      const std::string name = str_cat(watched.tensor.node, ":", watched.tensor.slot);
      if (value.has_value()) values_.emplace(name, value.clone());
    });
  }
  ~KeptTensors() { set_debug_callback(key_, nullptr); }
  KeptTensors(const KeptTensors&) = delete;
  KeptTensors& operator=(const KeptTensors&) = delete;

  std::string url() const { return "memcbk://" + key_; }
  std::map<std::string, Tensor> take() {
    const std::lock_guard lock(mutex_);
    return std::move(values_);
  }

 private:
  std::string key_;
  std::mutex mutex_;
  std::map<std::string, Tensor> values_;
};

std::int64_t bytes_of(const std::vector<Feed>& feeds) {
  std::int64_t bytes = 0;
  for (const Feed& feed : feeds) bytes += static_cast<std::int64_t>(feed.value.byte_size());
  return bytes;
}

}  // namespace

RecordedRun::RecordedRun(const ObservedRun& run)
    : micros(wall_micros()),
      description(run),
      graph(run.graph),
      session_options(run.session_options),
      fetches(run.fetches.begin(), run.fetches.end()),
      targets(run.targets.begin(), run.targets.end()) {
  for (const Feed& feed : run.feeds) feeds.push_back({feed.target, feed.value.clone()});
}

std::int64_t RecordedRun::bytes_beside(const RecordedRun* before) const {
  std::set<const void*> known;
  if (before != nullptr)
    for (const VariableValue& variable : before->variables)
      if (variable.value.has_value()) known.insert(variable.value.raw_data());
  std::int64_t bytes = bytes_of(feeds) + bytes_of(given);
  for (const VariableValue& variable : variables)
    if (variable.value.has_value() && !known.contains(variable.value.raw_data()))
      bytes += static_cast<std::int64_t>(variable.value.byte_size());
  return bytes;
}

std::vector<Tensor> run_recorded(const ObservedRun& run, RecordedRun* record) {
  const std::map<std::string, Output> wanted = wanted_tensors(record);
  record->variables = variables_of(run.session);
  KeptTensors kept;
  RunOptions options = run.options;
  for (const auto& [name, output] : wanted)
    options.debug.watches.push_back(
        {.node = output.node->name(), .slot = output.index, .urls = {kept.url()}});
  const auto keep = [&] {
    for (auto& [name, value] : kept.take())
      if (const auto it = wanted.find(name); it != wanted.end())
        record->given.push_back({it->second, std::move(value)});
  };
  try {
    std::vector<Tensor> results = run.run(options, run.stats);
    keep();
    return results;
  } catch (const Error& error) {
    keep();
    record->error = error.message();
    throw;
  }
}

Replay replay(const RecordedRun& run, const DebugOptions& watches) {
  if (!run.obstacle.empty())
    raise(Code::kFailedPrecondition, "run #", run.number, " is not run again: ", run.obstacle);
  SessionOptions how = run.session_options;
  how.find_nan = FindNan::off;
  Session session(run.graph, how);
  for (const RecordedRun::VariableValue& variable : run.variables) {
    const auto made = session.resources().find_or_make<VariableResource>(
        variable.container, variable.name,
        [&] { return std::make_shared<VariableResource>(variable.name, variable.value.dtype()); });
    if (variable.value.has_value()) made->assign(variable.value.clone());
  }
  std::vector<Feed> feeds = run.feeds;
  feeds.insert(feeds.end(), run.given.begin(), run.given.end());
  Replay found;
  StepStats stats;
  const BeingObserved being;
  try {
    session.run(feeds, run.fetches, run.targets, {.debug = watches}, &stats);
  } catch (const Error& error) {
    found.error = error.message();
  }
  for (const std::string& graph : stats.partition_graphs)
    found.graphs.emplace_back().ParseFromString(graph);
  return found;
}

}  // namespace rill::debugger
