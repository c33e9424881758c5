#include "rill/runtime/session/debugged_plans.h"

#include <algorithm>
#include <set>

#include "rill/base/text.h"
#include "tensorflow/core/framework/graph.pb.h"

namespace rill {
namespace {

std::string device_of(const std::string& graph_def) {
  tensorflow::GraphDef graph;
  if (!graph.ParseFromString(graph_def) || graph.node_size() == 0) return "";
  return graph.node(0).device();
}

}  // namespace

std::shared_ptr<DebuggedPlan> DebuggedPlans::find(const std::string& key) {
  const std::lock_guard lock(mutex_);
  for (auto it = kept_.begin(); it != kept_.end(); ++it) {
    if (it->first != key) continue;
    ++it->second->runs;
    kept_.splice(kept_.begin(), kept_, it);
    return kept_.front().second;
  }
  return nullptr;
}

std::shared_ptr<DebuggedPlan> DebuggedPlans::add(const std::string& key,
                                                 std::shared_ptr<DebuggedPlan> made) {
  const std::lock_guard lock(mutex_);
  made->runs = 1;
  kept_.emplace_front(key, made);
  if (kept_.size() > kKept) kept_.pop_back();
  return made;
}

std::string to_key(const DebugOptions& options) {
  std::vector<std::string> parts;
  for (const TensorWatch& watch : options.watches)
    parts.push_back(str_cat(watch.node, ":", watch.slot, "|", join(watch.ops, ","), "|",
                            join(watch.urls, ","), "|", watch.tolerates_failures));
  return join(parts, "\n");
}

DebugPublication::DebugPublication(const DebugOptions& options, const DebuggedRun* run,
                                   const std::vector<std::string>& graphs, std::int64_t micros) {
  std::set<std::string> urls;
  for (const TensorWatch& watch : options.watches)
    if (!watch.ops.empty()) urls.insert(watch.urls.begin(), watch.urls.end());
  for (const std::string& url : urls) targets_.push_back(debug_target(url));
  auto target_at = targets_.begin();
  for (const std::string& url : urls) {
    DebugTarget* const target = (target_at++)->get();
    if (run != nullptr) target->run(*run);
    // Who listens has the graph since the first run; files may have been taken away.
    const bool has_graphs =
        run != nullptr && run->executor_step > 0 && !lower(url).starts_with("file://");
    if (has_graphs) continue;
    for (const std::string& graph : graphs) target->graph(device_of(graph), graph, micros);
  }
}

DebugPublication::~DebugPublication() {
  for (const auto& target : targets_) target->end();
}

}  // namespace rill
