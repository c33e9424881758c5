#include "rill/runtime/function/function_runtime.h"

#include "rill/runtime/function/detached_work.h"

namespace rill {

FunctionRuntime::FunctionRuntime(const Graph& graph, KernelCache& kernels, ThreadPool& pool,
                                 const CompileOptions& passes, bool may_spread,
                                 ResourceManager& resources)
    : functions_(graph, kernels, pool, passes, may_spread),
      detached_(std::make_shared<DetachedWork>(*this, resources)) {}

FunctionRuntime::~FunctionRuntime() = default;

std::shared_ptr<PlanFunction> StepFunctions::bind_plan(const FuncName& function) {
  FunctionTable& shared = runtime_.functions();
  const bool own = own_ != nullptr &&
                   keeps_state(function, *shared.graph().functions(), shared.kernels().registry());
  return (own ? *own_ : shared).bind(function);
}

std::shared_ptr<DetachedCalls> StepFunctions::detach() { return runtime_.detached().detach(); }

void StepFunctions::add(StepStats stats) {
  const std::lock_guard lock(mutex_);
  for (NodeStats& node : stats.nodes) collected_.nodes.push_back(std::move(node));
}

void StepFunctions::move_stats_to(StepStats& all) {
  const std::lock_guard lock(mutex_);
  for (NodeStats& node : collected_.nodes) all.nodes.push_back(std::move(node));
  collected_.nodes.clear();
}

}  // namespace rill
