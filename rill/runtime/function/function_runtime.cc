#include "rill/runtime/function/function_runtime.h"

#include "rill/runtime/function/session_background.h"

namespace rill {

FunctionRuntime::FunctionRuntime(const Graph& graph, KernelCache& kernels, ThreadPool& pool,
                                 const CompileOptions& passes, bool may_spread,
                                 ResourceManager& resources)
    : functions_(graph, kernels, pool, passes, may_spread),
      background_(std::make_shared<SessionBackground>(*this, resources)) {}

FunctionRuntime::~FunctionRuntime() = default;

std::shared_ptr<PlanFunction> StepFunctions::bind_plan(const FuncName& function,
                                                       const CallSite& site) {
  FunctionTable& shared = runtime_.functions();
  const bool own = own_ != nullptr &&
                   keeps_state(function, *shared.graph().functions(), shared.kernels().registry());
  return (own ? *own_ : shared).bind(function, site);
}

std::shared_ptr<BackgroundCalls> StepFunctions::make_background_calls() {
  return runtime_.background().make_background_calls();
}

void StepFunctions::add(StepTrace trace) {
  const std::lock_guard lock(mutex_);
  collected_.append(std::move(trace));
}

void StepFunctions::move_trace_to(StepTrace& all) {
  const std::lock_guard lock(mutex_);
  all.append(std::exchange(collected_, {}));
}

}  // namespace rill
