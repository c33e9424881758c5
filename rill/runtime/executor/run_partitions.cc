#include "rill/runtime/executor/run_partitions.h"

#include "rill/base/scheduler.h"
#include "rill/runtime/executor/node_runner.h"
#include "rill/runtime/executor/run_plan.h"
#include "rill/runtime/step/deadlock_detector.h"

namespace rill {
namespace {

class PartitionsRun {
 public:
  PartitionsRun(Plan& plan, Workspace& workspace, const StepContext& step, Rendezvous& rendezvous,
                ThreadPool& pool, bool may_spread, const ExecutorOptions& options)
      : step_(step),
        rendezvous_(rendezvous),
        pool_(pool),
        may_spread_(may_spread),
        options_(options),
        deadlock_(static_cast<int>(plan.others.size()) + 1, [this] { report_deadlock(); }) {
    partitions_.reserve(plan.others.size() + 1);
    partitions_.push_back({.plan = &plan, .workspace = &workspace});
    for (const auto& other : plan.others) {
      PartitionRun partition{.plan = other.get(), .owned = other->take_workspace()};
      partition.workspace = partition.owned.get();
      give_feeds(plan, workspace, partition);
      partitions_.push_back(std::move(partition));
    }
  }

  void run(StepThreads& threads) {
    stop_together();
    running_ = partitions_.size() - 1;
    for (std::size_t i = 1; i < partitions_.size(); ++i)
      threads.run([this, i] {
        run_partition(partitions_[i]);
        const std::lock_guard lock(mutex_);
        --running_;
        ended_.notify_all();  // under the lock: the run may go as soon as it is released
      });
    run_partition(partitions_[0]);
    {
      std::unique_lock lock(mutex_);
      ended_.wait(lock, [&] { return running_ == 0; });
    }
    for (PartitionRun& partition : partitions_)
      partition.workspace->cancellation.forget(partition.wake);
    if (error_) std::rethrow_exception(error_);
    finish();
  }

 private:
  struct PartitionRun {
    Plan* plan;
    Workspace* workspace = nullptr;
    std::unique_ptr<Workspace> owned;
    std::int64_t wake = 0;
    StepTrace trace;
  };

  static void give_feeds(const Plan& client, const Workspace& from, PartitionRun& partition) {
    for (std::size_t i = 0; i < client.feed_slots.size(); ++i)
      if (const int slot = partition.plan->feed_slots[i]; slot >= 0)
        partition.workspace->slots[static_cast<std::size_t>(slot)].tensor =
            from.slots[static_cast<std::size_t>(client.feed_slots[i])].tensor;
  }

  // Whatever cancels one part cancels all, and wakes those that wait for a value.
  void stop_together() {
    for (PartitionRun& partition : partitions_)
      partition.wake = partition.workspace->cancellation.on_cancel([this] {
        for (PartitionRun& other : partitions_) other.workspace->cancellation.cancel();
        rendezvous_.abort(std::make_exception_ptr(cancelled_error()));
      });
  }

  void run_partition(PartitionRun& partition) {
    StepContext step = step_;
    step.cancellation = &partition.workspace->cancellation;
    step.rendezvous = &rendezvous_;
    ExecutorOptions options = options_;
    if (options.trace != nullptr) options.trace = &partition.trace;
    if (!options.client_may_send) options.deadlock = &deadlock_;
    try {
      run_plan(*partition.plan, *partition.workspace, step, pool_, may_spread_, options);
    } catch (...) {
      note(std::current_exception());
      partition.workspace->cancellation.cancel();
    }
    finish_device(partition);
    deadlock_.end();
  }

  // Until then kernels that were enqueued refer to the plan and the step.
  void finish_device(PartitionRun& partition) {
    if (partition.plan->nodes.empty()) return;
    Device& device = *partition.plan->nodes.front().kernel->node.device;
    const std::optional<LateError> late = device.finish(step_.step_id);
    if (!late) return;
    note(std::make_exception_ptr(late_error(*partition.plan, *late)));
    partition.workspace->cancellation.cancel();
  }

  void report_deadlock() {
    rendezvous_.abort(std::make_exception_ptr(
        Error(Code::kInvalidArgument,
              "The step cannot go on: its parts on different devices wait for values that nothing "
              "sends any more. A loop or branch of the graph is malformed.")));
  }

  // Parts that are stopped because another one failed say that they were cancelled: that is not
  // what the program wants to hear.
  void note(std::exception_ptr error) {
    bool is_cause = true;
    try {
      std::rethrow_exception(error);
    } catch (const Error& e) {
      is_cause = e.code() != Code::kCancelled;
    } catch (...) {
    }
    const std::lock_guard lock(mutex_);
    if (error_ && (has_cause_ || !is_cause)) return;
    error_ = error;
    has_cause_ = is_cause;
  }

  void finish() {
    for (PartitionRun& partition : partitions_) {
      if (options_.trace != nullptr) options_.trace->append(std::move(partition.trace));
      if (partition.owned == nullptr) continue;
      for (const int slot : partition.plan->feed_slots)
        if (slot >= 0) partition.owned->slots[static_cast<std::size_t>(slot)] = Value();
      partition.plan->give_back(std::move(partition.owned));
    }
  }

  const StepContext& step_;
  Rendezvous& rendezvous_;
  ThreadPool& pool_;
  const bool may_spread_;
  const ExecutorOptions& options_;
  std::vector<PartitionRun> partitions_;
  DeadlockDetector deadlock_;
  std::mutex mutex_;
  Condition ended_;
  std::size_t running_ = 0;
  std::exception_ptr error_;
  bool has_cause_ = false;  // error_ is not merely a cancellation
};

}  // namespace

void run_partitions(Plan& plan, Workspace& workspace, const StepContext& step,
                    Rendezvous& rendezvous, ThreadPool& pool, StepThreads& threads, bool may_spread,
                    const ExecutorOptions& options) {
  PartitionsRun(plan, workspace, step, rendezvous, pool, may_spread, options).run(threads);
}

}  // namespace rill
