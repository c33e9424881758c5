// The frame executor's view of one node: running its kernel and releasing what it has read.
#include <atomic>
#include <optional>

#include "rill/base/clock.h"
#include "rill/base/flush_denormals.h"
#include "rill/runtime/executor/frame_run.h"
#include "rill/runtime/executor/nan_search.h"

namespace rill {

void FrameRun::process(Ready ready, Lock& lock) {
  if (stopped()) return;
  const bool dead = progress(*ready.iteration, ready.node).dead && !node(ready.node).runs_dead;
  const Kind kind = node(ready.node).kind;
  if (!dead || kind == Kind::kSend) {
    try {
      if (kind == Kind::kSend) {
        send(ready, dead, lock);
      } else if (kind == Kind::kRecv) {
        return receive(ready, lock);  // ends later
      } else if (kind != Kind::kKernel) {
        pass_on(ready);
      } else if (!run_kernel(ready, lock)) {
        return;  // asynchronous: ends later
      }
    } catch (...) {
      return fail(std::current_exception());
    }
  }
  if (!error_) end_node(ready, dead);
}

void FrameRun::end_node(Ready ready, bool dead) {
  propagate(ready, dead);
  release_values(ready);
  if (--ready.iteration->outstanding == 0) finish_iterations(ready.frame);
  ask_for_help();
}

// Runs an ordinary kernel; false when it will end later.
bool FrameRun::run_kernel(Ready ready, Lock& lock) {
  const PlanNode& n = plan_node(ready.node);
  ++kernels_run_;
  if (n.run == nullptr) return run_async(ready, lock);
  const Pointers pointers(*this, ready);
  const NodeValues values = pointers.values();
  NodeBegin begin = StepTrace::begin(options_.trace, ready.since_nanos);
  const bool unlocked = n.expensive && options_.spread;
  std::exception_ptr error;
  ++running_;
  if (unlocked) {
    ++busy_;
    lock.unlock();
  }
  try {
    prepare(ready, values);
    begin.prepared();
    run_prepared(n, values, step_, memory_.arena());
    if (options_.nan_search != nullptr) options_.nan_search->look(plan_, n, values);
  } catch (...) {
    error = std::make_exception_ptr(node_error(n, values));
  }
  if (unlocked) {
    lock.lock();
    --busy_;
  }
  --running_;
  if (error) std::rethrow_exception(error);
  if (options_.trace != nullptr) options_.trace->note(plan_, n, values, begin);
  return true;
}

bool FrameRun::run_async(Ready ready, Lock& lock) {
  const PlanNode& n = plan_node(ready.node);
  Pointers pointers(*this, ready);
  NodeBegin begin = StepTrace::begin(options_.trace, ready.since_nanos);
  try {
    prepare(ready, pointers.values());
    begin.prepared();
  } catch (...) {
    throw node_error(n, pointers.values());
  }
  // The call refers to the pointers beside it, so these are in place before it is made.
  struct Running {
    explicit Running(Pointers p) : pointers(std::move(p)) {}
    Pointers pointers;
    std::optional<KernelCall> call;
    std::exception_ptr failed;
    std::atomic<int> arrived{0};
  };
  auto running = std::make_shared<Running>(std::move(pointers));
  running->call.emplace(make_call(n, running->pointers.values(), step_));
  ++running_;
  lock.unlock();
  // Whoever comes second, this thread or the kernel's end, goes on; so a kernel that ends at once
  // does not go on from inside itself.
  const auto done = [this, ready, begin, running](std::exception_ptr failed) {
    const FlushDenormals flush;  // on whatever thread this is
    running->failed = std::move(failed);
    if (running->arrived.fetch_add(1, std::memory_order_acq_rel) == 0) return;
    Lock relock(mutex_);
    end_async(ready, running->pointers, begin, running->failed);
    if (!ended_) return;
    ++helpers_;
    work(relock);
    --helpers_;
    settle(relock);
  };
  try {
    n.kernel->entry->run_async(*running->call, done);
  } catch (...) {
    done(std::current_exception());
  }
  const bool ended = running->arrived.fetch_add(1, std::memory_order_acq_rel) == 1;
  lock.lock();
  if (ended) end_async(ready, running->pointers, begin, running->failed);
  return false;
}

void FrameRun::end_async(Ready ready, const Pointers& pointers, const NodeBegin& begin,
                         std::exception_ptr failed) {
  if (failed) {
    try {
      std::rethrow_exception(failed);
    } catch (...) {
      fail(std::make_exception_ptr(node_error(plan_node(ready.node), pointers.values())));
    }
  }
  if (!failed && options_.nan_search != nullptr) {
    try {
      options_.nan_search->look(plan_, plan_node(ready.node), pointers.values());
    } catch (...) {
      fail(std::current_exception());
    }
  }
  if (!failed && options_.trace != nullptr)
    options_.trace->note(plan_, plan_node(ready.node), pointers.values(), begin);
  if (!error_) end_node(ready, false);
  --running_;
  changed_.notify_all();
}

void FrameRun::prepare(Ready ready, const NodeValues& values) {
  const PlanNode& n = plan_node(ready.node);
  read_references(ready);
  prepare_outputs(n, values, ready.iteration->memos[at(node(ready.node).local)],
                  takeable(n.takeable_alone, options_), memory_.arena());
}

void FrameRun::read_references(Ready ready) {
  const PlanNode& n = plan_node(ready.node);
  for (int i = n.deref_begin; i < n.deref_end; ++i) {
    const Deref& deref = plan_.derefs[at(i)];
    const auto& where = layout_.slot_address;
    const Value& reference = value(*ready.iteration, where[at(deref.slot)]);
    // A Merge runs with one live input; the reference that the other would be is not there.
    if (reference.ref == nullptr && node(ready.node).kind == Kind::kMerge) continue;
    value(*ready.iteration, where[at(deref.scratch)]).tensor = read_reference(n, reference);
  }
}

void FrameRun::release_values(Ready ready) {
  const FrameLayout::Node& n = node(ready.node);
  for (int i = n.release_begin; i < n.release_end; ++i) {
    const auto slot = at(layout_.releases[at(i)]);
    if (--ready.iteration->readers[slot] == 0) clear(ready.iteration->slots[slot]);
  }
}

}  // namespace rill
