#pragma once

#include "rill/base/thread_pool.h"
#include "rill/runtime/executor/executor.h"
#include "rill/runtime/step/step_threads.h"

namespace rill {

// Runs the partitions of a plan in parallel: the client's on this thread, each of `plan.others` on
// one of `threads`. Values go between them through `rendezvous`, which is this step's alone. The
// first error stops every partition, aborts the rendezvous and is thrown when none runs any more.
// `workspace` is the client's, with the feeds in.
void run_partitions(Plan& plan, Workspace& workspace, const StepContext& step,
                    Rendezvous& rendezvous, ThreadPool& pool, StepThreads& threads, bool may_spread,
                    const ExecutorOptions& options);

}  // namespace rill
