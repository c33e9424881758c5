#include "rill/runtime/run_plan.h"

#include <algorithm>

#include "rill/base/clock.h"

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

}  // namespace

void run_plan(Plan& plan, Workspace& workspace, StepContext& step, ThreadPool& pool,
              bool may_spread, ExecutorOptions options) {
  may_spread = may_spread && pool.thread_count() > 1;
  if (plan.frames != nullptr) {
    options.spread = plan.has_async || (may_spread && plan.last_kernel_nanos > kSpreadKernelNanos);
    const std::int64_t begin = monotonic_nanos();
    const std::int64_t kernels_run = run_frames(plan, workspace, step, pool, options);
    plan.last_kernel_nanos = (monotonic_nanos() - begin) / std::max<std::int64_t>(1, kernels_run);
    return;
  }
  may_spread = may_spread && plan.has_parallelism;
  const std::int64_t begin = may_spread ? monotonic_nanos() : 0;
  if (plan.has_async || (may_spread && is_worth_threads(plan))) {
    run_dataflow(plan, workspace, step, pool, options);
  } else {
    run_in_order(plan, workspace, step, options);
  }
  if (may_spread) plan.last_nanos = monotonic_nanos() - begin;
}

void start_plan(Plan& plan, Workspace& workspace, StepContext& step, ThreadPool& pool,
                ExecutorOptions options, Ended ended) {
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
