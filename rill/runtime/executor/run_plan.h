#pragma once

#include "rill/base/thread_pool.h"
#include "rill/runtime/executor/executor.h"

namespace rill {

// Runs a plan with the executor that suits it and learns from how long it took. Feeds are in the
// workspace's slots before, fetches after. `may_spread` allows threads of `pool` for independent
// nodes. Throws as the executors do.
void run_plan(Plan& plan, Workspace& workspace, StepContext& step, ThreadPool& pool,
              bool may_spread, const ExecutorOptions& options);

// The same without blocking: `ended` is called once, from any thread, possibly before this returns,
// when nothing of the run is left. Plan, workspace and step stay valid until then.
void start_plan(Plan& plan, Workspace& workspace, StepContext& step, ThreadPool& pool,
                ExecutorOptions options, Ended ended);

}  // namespace rill
