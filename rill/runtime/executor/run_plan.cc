#include "rill/runtime/executor/run_plan.h"

#include <algorithm>

#include "rill/base/clock.h"
#include "rill/base/flush_denormals.h"
#include "rill/kernel/fast_paths.h"

namespace rill {
namespace {

// A step is worth a second thread when it took this long, and its average node this long.
constexpr std::int64_t kParallelNanos = 200'000, kParallelNodeNanos = 2'000;
// In loops, the average kernel must be longer than this.
constexpr std::int64_t kSpreadKernelNanos = 20'000;

bool is_worth_threads(const Plan& plan) {
  const std::int64_t nanos = plan.last_nanos;
  return nanos > kParallelNanos &&
         nanos > kParallelNodeNanos * static_cast<std::int64_t>(plan.nodes.size());
}

bool goes_side_by_side(Plan& plan) {
  return plan.schedule.next_is_parallel() && takes(FastPath::kInterOp);
}

}  // namespace

void run_plan(Plan& plan, Workspace& workspace, StepContext& step, ThreadPool& pool,
              bool may_spread, const ExecutorOptions& options) {
  const FlushDenormals flush;
  may_spread = may_spread && pool.thread_count() > 1;
  if (plan.frames != nullptr) {
    const bool chooses = may_spread && plan.last_kernel_nanos > kSpreadKernelNanos;
    ExecutorOptions of_frames = options;
    of_frames.spread = plan.has_async || (chooses && goes_side_by_side(plan));
    const std::int64_t begin = monotonic_nanos();
    const std::int64_t kernels_run = run_frames(plan, workspace, step, pool, of_frames);
    const std::int64_t nanos = monotonic_nanos() - begin;
    plan.last_kernel_nanos = nanos / std::max<std::int64_t>(1, kernels_run);
    if (chooses) plan.schedule.took(of_frames.spread, nanos);
    return;
  }
  may_spread = may_spread && plan.has_parallelism;
  const std::int64_t begin = may_spread ? monotonic_nanos() : 0;
  const bool chooses = may_spread && is_worth_threads(plan);
  const bool side_by_side = plan.has_async || (chooses && goes_side_by_side(plan));
  if (side_by_side) {
    run_dataflow(plan, workspace, step, pool, options);
  } else {
    run_in_order(plan, workspace, step, options);
  }
  if (!may_spread) return;
  plan.last_nanos = monotonic_nanos() - begin;
  if (chooses) plan.schedule.took(side_by_side, plan.last_nanos);
}

void start_plan(Plan& plan, Workspace& workspace, StepContext& step, ThreadPool& pool,
                ExecutorOptions options, Ended ended) {
  const FlushDenormals flush;
  if (plan.frames != nullptr) {
    options.spread = true;
    return start_frames(plan, workspace, step, pool, options, std::move(ended));
  }
  if (plan.has_async) return start_dataflow(plan, workspace, step, pool, options, std::move(ended));
  std::exception_ptr error;
  try {
    run_in_order(plan, workspace, step, options);
  } catch (...) {
    error = std::current_exception();
  }
  ended(error);
}

}  // namespace rill
