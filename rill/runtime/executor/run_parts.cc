#include "rill/runtime/executor/run_parts.h"

#include <condition_variable>

#include "rill/runtime/executor/node_runner.h"
#include "rill/runtime/executor/run_plan.h"
#include "rill/runtime/step/standstill.h"

namespace rill {
namespace {

class PartsRun {
 public:
  PartsRun(Plan& plan, Workspace& workspace, const StepContext& step, Rendezvous& rendezvous,
           ThreadPool& pool, bool may_spread, const ExecutorOptions& options)
      : step_(step),
        rendezvous_(rendezvous),
        pool_(pool),
        may_spread_(may_spread),
        options_(options),
        standstill_(static_cast<int>(plan.others.size()) + 1, [this] { report_standstill(); }) {
    parts_.reserve(plan.others.size() + 1);
    parts_.push_back({.plan = &plan, .workspace = &workspace});
    for (const auto& other : plan.others) {
      Part part{.plan = other.get(), .owned = other->take_workspace()};
      part.workspace = part.owned.get();
      give_feeds(plan, workspace, part);
      parts_.push_back(std::move(part));
    }
  }

  void run(StepThreads& threads) {
    stop_together();
    running_ = parts_.size() - 1;
    for (std::size_t i = 1; i < parts_.size(); ++i)
      threads.run([this, i] {
        run_part(parts_[i]);
        const std::lock_guard lock(mutex_);
        --running_;
        ended_.notify_all();  // under the lock: the run may go as soon as it is released
      });
    run_part(parts_[0]);
    {
      std::unique_lock lock(mutex_);
      ended_.wait(lock, [&] { return running_ == 0; });
    }
    for (Part& part : parts_) part.workspace->cancellation.forget(part.wake);
    if (error_) std::rethrow_exception(error_);
    finish();
  }

 private:
  struct Part {
    Plan* plan;
    Workspace* workspace = nullptr;
    std::unique_ptr<Workspace> owned;
    std::int64_t wake = 0;
    StepStats stats;
  };

  static void give_feeds(const Plan& client, const Workspace& from, Part& part) {
    for (std::size_t i = 0; i < client.feed_slots.size(); ++i)
      if (const int slot = part.plan->feed_slots[i]; slot >= 0)
        part.workspace->slots[static_cast<std::size_t>(slot)].tensor =
            from.slots[static_cast<std::size_t>(client.feed_slots[i])].tensor;
  }

  // Whatever cancels one part cancels all, and wakes those that wait for a value.
  void stop_together() {
    for (Part& part : parts_)
      part.wake = part.workspace->cancellation.on_cancel([this] {
        for (Part& other : parts_) other.workspace->cancellation.cancel();
        rendezvous_.abort(std::make_exception_ptr(cancelled_error()));
      });
  }

  void run_part(Part& part) {
    StepContext step = step_;
    step.cancellation = &part.workspace->cancellation;
    step.rendezvous = &rendezvous_;
    ExecutorOptions options = options_;
    if (options.stats != nullptr) options.stats = &part.stats;
    if (!options.client_may_send) options.standstill = &standstill_;
    try {
      run_plan(*part.plan, *part.workspace, step, pool_, may_spread_, options);
    } catch (...) {
      note(std::current_exception());
      part.workspace->cancellation.cancel();
    }
    standstill_.end();
  }

  void report_standstill() {
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
    for (Part& part : parts_) {
      if (options_.stats != nullptr)
        std::ranges::move(part.stats.nodes, std::back_inserter(options_.stats->nodes));
      if (part.owned == nullptr) continue;
      for (const int slot : part.plan->feed_slots)
        if (slot >= 0) part.owned->slots[static_cast<std::size_t>(slot)] = Value();
      part.plan->give_back(std::move(part.owned));
    }
  }

  const StepContext& step_;
  Rendezvous& rendezvous_;
  ThreadPool& pool_;
  const bool may_spread_;
  const ExecutorOptions& options_;
  std::vector<Part> parts_;
  Standstill standstill_;
  std::mutex mutex_;
  std::condition_variable ended_;
  std::size_t running_ = 0;
  std::exception_ptr error_;
  bool has_cause_ = false;  // error_ is not merely a cancellation
};

}  // namespace

void run_parts(Plan& plan, Workspace& workspace, const StepContext& step, Rendezvous& rendezvous,
               ThreadPool& pool, StepThreads& threads, bool may_spread,
               const ExecutorOptions& options) {
  PartsRun(plan, workspace, step, rendezvous, pool, may_spread, options).run(threads);
}

}  // namespace rill
