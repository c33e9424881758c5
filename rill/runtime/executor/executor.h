#pragma once

#include <cstdint>
#include <exception>
#include <functional>

#include "rill/kernel/step_context.h"
#include "rill/runtime/executor/step_trace.h"
#include "rill/runtime/plan/plan.h"

namespace rill {

class DeadlockDetector;
class NanSearch;

// Told that a run is over, and why if it failed.
using Ended = std::function<void(std::exception_ptr error)>;

struct ExecutorOptions {
  std::int64_t deadline_nanos = 0;  // on the monotonic clock; 0: none
  StepTrace* trace = nullptr;       // filled when given
  NanSearch* nan_search = nullptr;  // looks at what kernels made
  bool spread = false;              // run_frames: kernels are large enough for several threads
  bool client_may_send = false;     // run_partitions: values also come from outside, at any time
  // Of run_frames: what a loop's values are exchanged under is numbered as TensorFlow does
  // since 2.3.
  bool newer_loop_numbers = false;
  DeadlockDetector* deadlock = nullptr;  // run_frames: told when this partition can only wait
};

// Runs every node of the plan once. Feeds are in the workspace's slots before, fetches after. The
// first error stops the step, names its node and is thrown here once nothing runs any more.
void run_in_order(const Plan& plan, Workspace& workspace, StepContext& step,
                  const ExecutorOptions& options);

// The same inter-op parallel: a node runs on `pool` as soon as its inputs are there. Also runs
// asynchronous kernels.
void run_dataflow(const Plan& plan, Workspace& workspace, StepContext& step, ThreadPool& pool,
                  const ExecutorOptions& options);

// The same without blocking: `ended` is called once, from any thread, when nothing is left of the
// run. What is passed stays valid until then, but for the options.
void start_dataflow(const Plan& plan, Workspace& workspace, StepContext& step, ThreadPool& pool,
                    const ExecutorOptions& options, Ended ended);

// Runs plans with control flow (the frame executor). Returns how many kernels it ran.
std::int64_t run_frames(const Plan& plan, Workspace& workspace, StepContext& step, ThreadPool& pool,
                        const ExecutorOptions& options);
void start_frames(const Plan& plan, Workspace& workspace, StepContext& step, ThreadPool& pool,
                  const ExecutorOptions& options, Ended ended);

}  // namespace rill
