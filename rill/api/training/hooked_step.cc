#include "rill/api/training/hooked_step.h"

#include <algorithm>

#include "rill/api/train/misuse.h"

namespace rill::train {
namespace {

void merge(DebugOptions& debug, const DebugOptions& more) {
  debug.watches.insert(debug.watches.end(), more.watches.begin(), more.watches.end());
  debug.global_step = std::max(debug.global_step, more.global_step);
  debug.resets_disk_usage |= more.resets_disk_usage;
}

void merge(RunOptions& options, const RunOptions& more) {
  merge(options.debug, more.debug);
  options.trace = options.trace || more.trace;
  options.timeout_ms = std::max(options.timeout_ms, more.timeout_ms);
  options.inter_op_thread_pool = std::max(options.inter_op_thread_pool, more.inter_op_thread_pool);
  options.output_partition_graphs = options.output_partition_graphs || more.output_partition_graphs;
}

void refuse_same(const std::vector<Feed>& feeds, const std::vector<Feed>& others,
                 const char* message) {
  std::string conflicts;
  for (const Feed& feed : feeds)
    if (std::ranges::any_of(others, [&](const Feed& o) { return o.target == feed.target; }))
      conflicts += (conflicts.empty() ? "" : ", ") + feed.target.name();
  if (!conflicts.empty())
    misuse(Code::kFailedPrecondition, message, " Conflict(s): [", conflicts, "]");
}

std::size_t tensor_count(const SessionRunArgs& args) {
  return static_cast<std::size_t>(
      std::ranges::count_if(args.fetches, [](const Runnable& f) { return !f.is_operation(); }));
}

// The values of what `args` fetches, operations included, from those of its tensors.
std::vector<Tensor> in_order(const SessionRunArgs& args, const Tensor* values) {
  std::vector<Tensor> ordered;
  ordered.reserve(args.fetches.size());
  for (const Runnable& fetch : args.fetches)
    ordered.push_back(fetch.is_operation() ? Tensor() : *values++);
  return ordered;
}

}  // namespace

void HookedStep::add(const SessionRunArgs& args) {
  for (const Runnable& fetch : args.fetches) {
    if (fetch.is_operation())
      operations_.push_back(&fetch.node());
    else
      tensors_.push_back(fetch.tensor());
  }
}

void HookedStep::ask_hooks() {
  requests_.reserve(hooks_.size());
  for (const HookRef& hook : hooks_) {
    const auto& request = requests_.emplace_back(hook->before_run(context_));
    if (!request) continue;
    add(*request);
    if (!request->feed_dict.empty()) {
      refuse_same(request->feed_dict, hook_feeds_, "Same tensor is fed by two hooks.");
      hook_feeds_.insert(hook_feeds_.end(), request->feed_dict.begin(), request->feed_dict.end());
    }
    if (request->options) merge(options_, *request->options);
  }
}

void HookedStep::tell_hooks(const std::vector<Tensor>& results, const StepStats* stats) {
  const Tensor* values = results.data() + tensor_count(args_);
  for (std::size_t i = 0; i < hooks_.size(); ++i) {
    SessionRunValues told{.options = options_, .run_metadata = stats};
    if (requests_[i]) {
      told.results = in_order(*requests_[i], values);
      told.form = requests_[i]->form;
      values += tensor_count(*requests_[i]);
    }
    hooks_[i]->after_run(context_, told);
  }
}

SessionRunValues HookedStep::run(StepStats* run_metadata) {
  if (args_.options) options_ = *args_.options;
  add(args_);
  ask_hooks();
  if (!hook_feeds_.empty()) {
    refuse_same(args_.feed_dict, hook_feeds_, "Same tensor is fed by a SessionRunHook and user.");
    hook_feeds_.insert(hook_feeds_.end(), args_.feed_dict.begin(), args_.feed_dict.end());
  }
  const std::vector<Feed>& feeds = hook_feeds_.empty() ? args_.feed_dict : hook_feeds_;
  StepStats own;
  StepStats* stats = run_metadata;
  if (stats == nullptr && (options_.trace || options_.output_partition_graphs)) stats = &own;
  std::vector<Tensor> results;
  if (!tensors_.empty() || !operations_.empty())
    results = session_.run(feeds, tensors_, operations_, options_, stats);
  tell_hooks(results, stats);
  return {.results = in_order(args_, results.data()),
          .options = options_,
          .run_metadata = run_metadata};
}

}  // namespace rill::train
