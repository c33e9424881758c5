#include "rill/api/profiler/profile_context.h"

#include <algorithm>
#include <mutex>
#include <random>

#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/inspect/profiler/report.h"

namespace rill::profiler {
namespace {

constexpr std::int64_t kWarmUp = 10;  // runs that are never traced without being asked for

std::string sorted_names(std::span<const Output> fetches, std::span<Node* const> targets) {
  std::vector<std::string> names;
  for (const Output& fetch : fetches) names.push_back(fetch.name());
  for (const Node* target : targets) names.push_back(target->name());
  std::ranges::sort(names);
  return join(names, "-");
}

}  // namespace

class ProfileContext::Triggers final : public RunObserver {
 public:
  Triggers(std::string directory, const ProfileContextOptions& options)
      : directory_(std::move(directory)), options_(options) {
    require(!directory_.empty(), "Must have a directory for profile.\n");
    require(!options_.trace_steps ||
                options_.trace_steps->size() <= static_cast<std::size_t>(kMostTraced),
            "Only support tracing up to 100 steps.\n");
  }

  std::vector<Tensor> run(const ObservedRun& run) override {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock.owns_lock()) return run.run();  // inside of another one
    if (profiler_ == nullptr) {
      graph_ = run.graph;
      profiler_ = std::make_unique<Profiler>(*graph_);
    }
    std::vector<Tensor> results = is_traced(run) ? run_traced(run) : run.run();
    look();
    ++step_;
    traces_next_ = dumps_next_ = false;
    return results;
  }

  std::mutex mutex_;
  bool traces_next_ = false, dumps_next_ = false, has_ended_ = false;
  struct Auto {
    std::string command;
    ProfileOptions options;
    std::set<std::int64_t> steps;
  };
  std::vector<Auto> autos_;
  std::unique_ptr<Profiler> profiler_;
  std::map<std::string, std::map<std::int64_t, GraphNodeProto>> trees_;
  std::map<std::string, std::map<std::int64_t, MultiGraphNodeProto>> tables_;

 private:
  bool is_traced(const ObservedRun& run) {
    if (traced_ > kMostTraced) return false;
    const bool is_wanted =
        traces_next_ || (options_.trace_steps ? options_.trace_steps->contains(step_)
                                              : step_ > kWarmUp && is_interesting(run));
    traced_ += is_wanted ? 1 : 0;
    return is_wanted;
  }

  bool is_interesting(const ObservedRun& run) {
    if (fetched_.insert(sorted_names(run.fetches, run.targets)).second) return true;
    if (step_ >= kMostTraced || coverage() >= .5) return false;
    return std::uniform_int_distribution(0, 10)(random_) < 2;
  }

  // The part of the graph's nodes that a traced run has had.
  double coverage() const {
    const int nodes = std::max(1, graph_->node_count());
    return static_cast<double>(seen_.size()) / nodes;
  }

  std::vector<Tensor> run_traced(const ObservedRun& run) {
    RunOptions options = run.options;
    options.trace = true;
    StepStats own;
    StepStats* const stats = run.stats == nullptr ? &own : run.stats;
    std::vector<Tensor> results = run.run(options, stats);
    for (const NodeStats& node : stats->nodes) seen_.emplace(node.node);
    profiler_->add_step(step_, *stats);
    return results;
  }

  void look() {
    if (dumps_next_ || options_.dump_steps.contains(step_)) {
      make_directories(directory_);
      write_file(join_path(directory_, str_cat("profile_", step_)),
                 profiler_->serialize_to_string());
    }
    for (const Auto& wanted : autos_) {
      if (!wanted.steps.contains(step_)) continue;
      switch (view_kind(wanted.command)) {
        case ViewKind::scope:
          trees_[wanted.command][step_] = profiler_->profile_name_scope(wanted.options);
          break;
        case ViewKind::graph:
          trees_[wanted.command][step_] = profiler_->profile_graph(wanted.options);
          break;
        case ViewKind::op:
          tables_[wanted.command][step_] = profiler_->profile_operations(wanted.options);
          break;
        case ViewKind::code:
          tables_[wanted.command][step_] = profiler_->profile_python(wanted.options);
          break;
      }
    }
  }

  const std::string directory_;
  const ProfileContextOptions options_;
  std::shared_ptr<Graph> graph_;  // of the first run
  std::int64_t step_ = 0, traced_ = 0;
  std::set<std::string> fetched_, seen_;
  std::mt19937 random_{111};
};

ProfileContext::ProfileContext(const std::string& directory, const ProfileContextOptions& options)
    : triggers_(options.enabled ? std::make_shared<Triggers>(directory, options) : nullptr) {
  if (triggers_ != nullptr) observe_main_thread(triggers_);
}

ProfileContext::~ProfileContext() { end(); }

void ProfileContext::end() {
  if (triggers_ == nullptr || triggers_->has_ended_) return;
  triggers_->has_ended_ = true;
  observe_main_thread(nullptr);
}

void ProfileContext::add_auto_profiling(const std::string& command, const ProfileOptions& options,
                                        const std::set<std::int64_t>& steps) {
  const ViewKind kind = view_kind(command);
  options.check();
  if (triggers_ == nullptr) return;
  triggers_->autos_.push_back({command, options, steps});
  if (kind == ViewKind::scope || kind == ViewKind::graph)
    triggers_->trees_[command];
  else
    triggers_->tables_[command];
}

void ProfileContext::trace_next_step() {
  if (triggers_ != nullptr) triggers_->traces_next_ = true;
}

void ProfileContext::dump_next_step() {
  if (triggers_ != nullptr) triggers_->dumps_next_ = true;
}

const Profiler& ProfileContext::profiler() const {
  if (triggers_ == nullptr || triggers_->profiler_ == nullptr)
    raise(Code::kFailedPrecondition, "there is no profile before the first run");
  return *triggers_->profiler_;
}

namespace {

template <class Views>
const auto& kept_views(const Views* views, const std::string& command) {
  require(views != nullptr && views->contains(command), "No autoprofiler for command: ", command,
          ", was run");
  return views->at(command);
}

}  // namespace

const std::map<std::int64_t, GraphNodeProto>& ProfileContext::trees(
    const std::string& command) const {
  return kept_views(triggers_ == nullptr ? nullptr : &triggers_->trees_, command);
}

const std::map<std::int64_t, MultiGraphNodeProto>& ProfileContext::tables(
    const std::string& command) const {
  return kept_views(triggers_ == nullptr ? nullptr : &triggers_->tables_, command);
}

}  // namespace rill::profiler
