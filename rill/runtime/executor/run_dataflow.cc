#include <chrono>
#include <deque>
#include <mutex>

#include "rill/base/clock.h"
#include "rill/base/error.h"
#include "rill/base/flush_denormals.h"
#include "rill/base/scheduler.h"
#include "rill/runtime/executor/executor.h"
#include "rill/runtime/executor/nan_search.h"
#include "rill/runtime/executor/node_runner.h"

namespace rill {
namespace {

// One step in dataflow order. A thread that ends a node runs the cheap nodes this made ready
// itself, keeps one expensive node and leaves the others to whoever is free: the pool and the
// caller.
class DataflowRun {
 public:
  DataflowRun(const Plan& plan, Workspace& workspace, StepContext& step, ThreadPool& pool,
              const ExecutorOptions& options)
      : plan_(plan),
        workspace_(workspace),
        step_(step),
        pool_(pool),
        options_(options),
        memory_(plan, workspace, false),
        unfinished_(static_cast<int>(plan.nodes.size())) {
    for (std::size_t i = 0; i < plan.nodes.size(); ++i)
      workspace.pending[i].store(plan.nodes[i].pending, std::memory_order_relaxed);
    for (std::size_t i = 0; i < plan.reader_counts.size(); ++i)
      workspace.readers[i].store(plan.reader_counts[i], std::memory_order_relaxed);
  }

  void run() {
    work(roots());
    help_until_done();
    if (error_) std::rethrow_exception(error_);
    memory_.end();
  }

  // Without waiting: `ended` hears of the end, until which the run keeps itself.
  void start(std::shared_ptr<DataflowRun> self, Ended ended) {
    self_ = std::move(self);
    ended_ = std::move(ended);
    helpers_ = 1;
    work(roots());
    leave();
  }

 private:
  std::vector<int> roots() const {
    std::vector<int> roots;
    for (std::size_t i = 0; i < plan_.nodes.size(); ++i)
      if (plan_.nodes[i].pending == 0) roots.push_back(static_cast<int>(i));
    return roots;
  }

  // One fewer refers to this run; the last one ends a run that nobody waits for. Nothing may touch
  // the run afterwards.
  void leave() {
    std::unique_lock lock(mutex_);
    --helpers_;
    changed_.notify_all();  // under the lock: the run may end as soon as it is released
    if (!ended_ || helpers_ > 0 || unfinished_ > 0) return;
    const auto self = std::move(self_);
    const Ended ended = std::exchange(ended_, nullptr);
    lock.unlock();
    memory_.end_as(error_);
    ended(error_);  // which may take the workspace away
  }

  const PlanNode& node(int i) const { return plan_.nodes[static_cast<std::size_t>(i)]; }

  // Runs `ready` and what becomes ready through it.
  void work(std::vector<int> ready) {
    while (!ready.empty()) {
      share_surplus(ready);
      const int i = ready.back();
      ready.pop_back();
      if (start(i)) finish(i, ready);
    }
  }

  // Leaves every expensive node but one to others.
  void share_surplus(std::vector<int>& ready) {
    int expensive = 0;
    for (const int i : ready) expensive += node(i).expensive;
    if (expensive <= 1 || ready.size() == 1 || pool_.thread_count() == 1) return;
    std::vector<int> kept, shared;
    for (const int i : ready)
      (node(i).expensive && shared.size() + 1 < static_cast<std::size_t>(expensive) ? shared : kept)
          .push_back(i);
    ready = std::move(kept);
    {
      std::lock_guard lock(mutex_);
      shared_.insert(shared_.end(), shared.begin(), shared.end());
      helpers_ += static_cast<int>(shared.size());
    }
    changed_.notify_all();
    for (std::size_t i = 0; i < shared.size(); ++i) pool_.schedule([this] { help_once(); });
  }

  void help_once() {
    int i = -1;
    {
      std::lock_guard lock(mutex_);
      if (!shared_.empty()) {
        i = shared_.front();
        shared_.pop_front();
      }
    }
    if (i >= 0) work({i});
    leave();
  }

  void help_until_done() {
    std::unique_lock lock(mutex_);
    for (;;) {
      const auto stop = [&] {
        return !left_to_caller_.empty() || !shared_.empty() || (unfinished_ == 0 && helpers_ == 0);
      };
      caller_waits_ = true;
      if (options_.deadline_nanos == 0 || timed_out_) {
        changed_.wait(lock, stop);
      } else if (!changed_.wait_for(lock, time_left(), stop)) {
        timed_out_ = true;
        lock.unlock();
        fail(std::make_exception_ptr(timeout_error()));
        lock.lock();
        continue;
      }
      caller_waits_ = false;
      std::vector<int> mine = std::exchange(left_to_caller_, {});
      if (mine.empty() && !shared_.empty()) {
        mine.push_back(shared_.front());
        shared_.pop_front();
      }
      if (mine.empty()) return;
      lock.unlock();
      work(std::move(mine));
      lock.lock();
    }
  }

  std::chrono::nanoseconds time_left() const {
    return std::chrono::nanoseconds(
        std::max<std::int64_t>(0, options_.deadline_nanos - monotonic_nanos()));
  }

  // Whoever ended the wait of a kernel has work of its own, perhaps another step: where the thread
  // that asked for this run has nothing to do, that one goes on. True when it does.
  bool leave_to_caller(const std::vector<int>& ready) {
    if (ready.empty()) return false;
    std::lock_guard lock(mutex_);
    if (!caller_waits_) return false;
    left_to_caller_.insert(left_to_caller_.end(), ready.begin(), ready.end());
    changed_.notify_all();
    return true;
  }

  // True when the node has ended; false when its kernel will say so later.
  bool start(int i) {
    const PlanNode& n = node(i);
    if (failed_.load(std::memory_order_acquire) || step_.cancellation->cancelled()) {
      if (!failed_.load(std::memory_order_acquire))
        fail(std::make_exception_ptr(cancelled_error()));
      return true;
    }
    NodeBegin begin = StepTrace::begin(options_.trace);
    try {
      prepare_node(plan_, n, workspace_, takeable(n.takeable_alone, options_), memory_.arena());
      begin.prepared();
      if (n.run == nullptr) return start_async(i, begin);
      run_prepared(n, values_of(n, workspace_), step_, memory_.arena());
      look(n);
      note_in_trace(n, begin);
    } catch (...) {
      fail(std::make_exception_ptr(node_error(n, values_of(n, workspace_))));
    }
    return true;
  }

  // Whoever comes second, this thread or the kernel's end, goes on; so a kernel that ends at once
  // does not go on from inside itself.
  bool start_async(int i, const NodeBegin& begin) {
    struct Running {
      KernelCall call;
      std::atomic<int> arrived{0};
    };
    auto running =
        std::make_shared<Running>(make_call(node(i), values_of(node(i), workspace_), step_));
    const auto done = [this, i, begin, running](std::exception_ptr error) {
      const FlushDenormals flush;  // on whatever thread this is
      if (error) {
        try {
          std::rethrow_exception(error);
        } catch (...) {
          fail(std::make_exception_ptr(node_error(node(i), values_of(node(i), workspace_))));
        }
      } else {
        note_in_trace(node(i), begin);
        try {
          look(node(i));
        } catch (...) {
          fail(std::current_exception());
        }
      }
      if (running->arrived.fetch_add(1, std::memory_order_acq_rel) == 0) return;
      {
        std::lock_guard lock(mutex_);
        ++helpers_;
      }
      std::vector<int> ready;
      finish(i, ready);
      if (!leave_to_caller(ready)) work(std::move(ready));
      leave();
    };
    node(i).kernel->entry->run_async(running->call, done);
    return running->arrived.fetch_add(1, std::memory_order_acq_rel) == 1;
  }

  void look(const PlanNode& n) {
    if (options_.nan_search != nullptr)
      options_.nan_search->look(plan_, n, values_of(n, workspace_));
  }

  void note_in_trace(const PlanNode& n, const NodeBegin& begin) {
    if (options_.trace == nullptr) return;
    std::lock_guard lock(mutex_);
    options_.trace->note(plan_, n, values_of(n, workspace_), begin);
  }

  void finish(int i, std::vector<int>& ready) {
    const PlanNode& n = node(i);
    for (int k = 0; k < n.input_count; ++k)
      release(plan_.wiring[static_cast<std::size_t>(n.input_begin + k)]);
    for (int k = n.deref_begin; k < n.deref_end; ++k)
      release(plan_.derefs[static_cast<std::size_t>(k)].slot);
    for (int k = 0; k < n.output_count; ++k) {
      const auto s =
          static_cast<std::size_t>(plan_.wiring[static_cast<std::size_t>(n.output_begin + k)]);
      if (plan_.reader_counts[s] == 0 && plan_.keeps[s] == 0) workspace_.slots[s] = Value();
    }
    for (int k = n.successor_begin; k < n.successor_end; ++k) {
      const int next = plan_.successors[static_cast<std::size_t>(k)];
      if (workspace_.pending[static_cast<std::size_t>(next)].fetch_sub(
              1, std::memory_order_acq_rel) == 1)
        ready.push_back(next);
    }
    if (unfinished_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    std::lock_guard lock(mutex_);
    changed_.notify_all();
  }

  void release(int slot) {
    const auto s = static_cast<std::size_t>(slot);
    if (workspace_.readers[s].fetch_sub(1, std::memory_order_acq_rel) != 1 || plan_.keeps[s] != 0)
      return;
    workspace_.slots[s] = Value();
  }

  void fail(std::exception_ptr error) {
    {
      std::lock_guard lock(mutex_);
      if (!error_) error_ = std::move(error);
    }
    failed_.store(true, std::memory_order_release);
    workspace_.cancellation.cancel();
  }

  const Plan& plan_;
  Workspace& workspace_;
  StepContext& step_;
  ThreadPool& pool_;
  const ExecutorOptions options_;
  ArenaStep memory_;

  std::mutex mutex_;
  Condition changed_;
  std::deque<int> shared_;           // expensive nodes that anyone may take
  std::vector<int> left_to_caller_;  // nodes for the thread that asked for this run
  bool caller_waits_ = false;
  int helpers_ = 0;  // tasks and callbacks that still refer to this run
  std::atomic<int> unfinished_;
  std::atomic<bool> failed_{false};
  bool timed_out_ = false;
  std::exception_ptr error_;
  // Of a run that nobody waits for.
  Ended ended_;
  std::shared_ptr<DataflowRun> self_;
};

}  // namespace

void run_dataflow(const Plan& plan, Workspace& workspace, StepContext& step, ThreadPool& pool,
                  const ExecutorOptions& options) {
  DataflowRun(plan, workspace, step, pool, options).run();
}

void start_dataflow(const Plan& plan, Workspace& workspace, StepContext& step, ThreadPool& pool,
                    const ExecutorOptions& options, Ended ended) {
  auto run = std::make_shared<DataflowRun>(plan, workspace, step, pool, options);
  DataflowRun& started = *run;
  started.start(std::move(run), std::move(ended));
}

}  // namespace rill
