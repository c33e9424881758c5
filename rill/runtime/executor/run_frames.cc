// The frame executor's run as a whole: who works, when it ends, what stops it.
#include <algorithm>
#include <chrono>

#include "rill/base/clock.h"
#include "rill/runtime/executor/frame_run.h"

namespace rill {

void FrameRun::run() {
  root_.iterations.push_back(new_iteration(0, 0));
  Iteration& root = *root_.iterations.front();
  Lock lock(mutex_);
  start_root(root);
  ask_for_help();
  work(lock);
  wait_for_others(lock);
  if (error_) std::rethrow_exception(error_);
  collect_fetches(root);
  retire_oldest_iteration(root_);
  let_frames_go();
  memory_.end();
}

// Loops that have ended still hold what was the same in all their iterations.
void FrameRun::let_frames_go() {
  spare_frames_.clear();
  frames_.clear();
}

void FrameRun::start(std::shared_ptr<FrameRun> self, Ended ended) {
  self_ = std::move(self);
  ended_ = std::move(ended);
  root_.iterations.push_back(new_iteration(0, 0));
  Lock lock(mutex_);
  ++helpers_;
  start_root(*root_.iterations.front());
  work(lock);
  --helpers_;
  settle(lock);
}

// Of a run that nobody waits for: tells kernels of an error, and ends the run when nothing is left
// of it. Nothing may touch the run afterwards.
void FrameRun::settle(Lock& lock) {
  if (!ended_) return;
  if (error_ && !told_) {
    told_ = true;
    ++helpers_;
    lock.unlock();
    workspace_.cancellation.cancel();
    lock.lock();
    --helpers_;
  }
  if (!ended_ || running_ > 0 || helpers_ > 0 || !ready_.empty()) return;
  const auto self = std::move(self_);
  const Ended ended = std::exchange(ended_, nullptr);
  try {
    if (!error_) collect_fetches(*root_.iterations.front());
    if (!error_) retire_oldest_iteration(root_);
    if (!error_) let_frames_go();
  } catch (...) {
    error_ = std::current_exception();
  }
  lock.unlock();
  memory_.end_as(error_);
  ended(error_);  // which may take the workspace away
}

void FrameRun::start_root(Iteration& root) {
  for (const int n : layout_.frames[0].nodes) {
    const NodeProgress& state = progress(root, n);
    if (state.waiting > 0) continue;
    if (node(n).kind != Kind::kMerge || state.live_input >= 0) make_ready(n, root_, root);
  }
}

void FrameRun::collect_fetches(Iteration& root) {
  for (std::size_t i = 0; i < plan_.fetch_slots.size(); ++i) {
    const int s = plan_.fetch_slots[i];
    Value& result = workspace_.slots[at(s)];
    const int address = layout_.slot_address[at(s)];
    if (address >= 0) result = root.slots[at(address)];  // may be fetched twice
    require(result.tensor.has_value() || result.ref != nullptr, "Retval[", i,
            "] does not have value: '", plan_.writer[at(s)] < 0 ? "" : name(plan_.writer[at(s)]),
            "' is on a branch that was not taken");
  }
}

// Works along until nothing runs any more; after an error, until what runs has noticed it.
void FrameRun::wait_for_others(Lock& lock) {
  bool told = false;
  while (running_ > 0 || helpers_ > 0 || !ready_.empty()) {
    if (error_ && !told) {
      told = true;
      lock.unlock();
      workspace_.cancellation.cancel();
      lock.lock();
    } else if (!ready_.empty()) {
      work(lock);
    } else if (!error_ && rests(lock)) {
      continue;
    } else if (options_.deadline_nanos == 0 || error_) {
      changed_.wait(lock);
    } else {
      const auto left = std::chrono::nanoseconds(
          std::max<std::int64_t>(0, options_.deadline_nanos - monotonic_nanos()));
      if (changed_.wait_for(lock, left) == std::cv_status::timeout)
        fail(std::make_exception_ptr(timeout_error()));
    }
  }
}

void FrameRun::work(Lock& lock) {
  while (!ready_.empty()) {
    const Ready next = ready_.front();
    ready_.pop_front();
    if (next.node == kPlainLoop) {
      if (!stopped()) run_plain(*next.frame, false);
      continue;
    }
    expensive_ready_ -= plan_node(next.node).expensive;
    process(next, lock);
  }
}

// Another thread is worth its price only when there is more than one expensive node to run, or one
// that none of the threads comes to, since they all run others.
void FrameRun::ask_for_help() {
  const bool all_busy = busy_ >= helpers_ + (ended_ ? 0 : 1);
  if (!options_.spread || expensive_ready_ < (all_busy ? 1 : 2)) return;
  if (helpers_ + 1 >= pool_.thread_count()) return;
  ++helpers_;
  pool_.schedule([this] {
    Lock lock(mutex_);
    work(lock);
    --helpers_;
    changed_.notify_all();
    settle(lock);
  });
}

// True when the step is over: nothing more is run or passed on, so the rest never becomes ready.
bool FrameRun::stopped() {
  if (error_) return true;
  if (step_.cancellation->cancelled()) {
    fail(std::make_exception_ptr(cancelled_error()));
  } else if (options_.deadline_nanos != 0 && monotonic_nanos() > options_.deadline_nanos) {
    fail(std::make_exception_ptr(timeout_error()));
  }
  return error_ != nullptr;
}

// An error of full memory says what is alive: values of loops are nowhere else to be found.
std::exception_ptr FrameRun::with_live_tensors(std::exception_ptr error) {
  try {
    std::rethrow_exception(error);
  } catch (const Error& full) {
    if (full.code() != Code::kResourceExhausted) return error;
    LiveTensors live;
    add_live_tensors(root_, live);
    for (const auto& frame : frames_) add_live_tensors(*frame, live);
    return std::make_exception_ptr(full.with_context(live_tensors_text(std::move(live))));
  } catch (...) {
    return error;
  }
}

void FrameRun::add_live_tensors(const LoopFrame& frame, LiveTensors& live) {
  for (const auto& iteration : frame.iterations)
    for (int n = 0; n < static_cast<int>(plan_.nodes.size()); ++n)
      for (int i = 0; node(n).output_frame == frame.layout && i < plan_node(n).output_count; ++i)
        add_live_tensor(plan_node(n), at(i), output(*iteration, n, i).tensor, live);
}

void FrameRun::fail(std::exception_ptr error) {
  if (error_) return;
  error_ = with_live_tensors(std::move(error));
  ready_.clear();
  expensive_ready_ = 0;
  changed_.notify_all();  // run() tells the kernels: that must not happen under the lock
}

std::int64_t run_frames(const Plan& plan, Workspace& workspace, StepContext& step, ThreadPool& pool,
                        const ExecutorOptions& options) {
  FrameRun run(plan, workspace, step, pool, options);
  run.run();
  return run.kernels_run();
}

void start_frames(const Plan& plan, Workspace& workspace, StepContext& step, ThreadPool& pool,
                  const ExecutorOptions& options, Ended ended) {
  auto run = std::make_shared<FrameRun>(plan, workspace, step, pool, options);
  FrameRun& started = *run;
  started.start(std::move(run), std::move(ended));
}

}  // namespace rill
