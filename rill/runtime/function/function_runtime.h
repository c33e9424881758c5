#pragma once

#include <memory>
#include <mutex>

#include "rill/kernel/background_calls.h"
#include "rill/kernel/remote_caller.h"
#include "rill/runtime/executor/executor.h"
#include "rill/runtime/function/function_table.h"

namespace rill {

class SessionBackground;

// Calls may nest this deep; a function that calls itself without end is stopped here. Each level
// takes a few kilobytes of the thread's stack.
inline constexpr int kMaxCallDepth = 400;

// The functions of a session's graph, kept as long as the session, and its work between steps.
class FunctionRuntime {
 public:
  FunctionRuntime(const Graph& graph, KernelCache& kernels, ThreadPool& pool,
                  const CompileOptions& passes, bool may_spread, ResourceManager& resources);
  ~FunctionRuntime();

  FunctionTable& functions() { return functions_; }
  // The session's work between steps.
  SessionBackground& background() { return *background_; }
  // Who has other processes run functions, if there are any; outlives this.
  void call_remotely_by(RemoteCaller* caller) { remote_ = caller; }
  RemoteCaller* remote_caller() const { return remote_; }

 private:
  FunctionTable functions_;
  const std::shared_ptr<SessionBackground> background_;
  RemoteCaller* remote_ = nullptr;
};

// What one step offers to its kernels of the session's functions, with what the step's own run is
// limited and watched by.
class StepFunctions final : public FunctionCaller,
                            public PlacesCalls,
                            public BackgroundCallsMaker,
                            public CallsRemotely {
 public:
  // Functions that keep state are taken from `own` where it is given.
  StepFunctions(FunctionRuntime& runtime, std::int64_t deadline_nanos, bool is_traced,
                FunctionTable* own = nullptr)
      : runtime_(runtime), deadline_nanos_(deadline_nanos), is_traced_(is_traced), own_(own) {}
  std::shared_ptr<BoundFunction> bind(const FuncName& function) override {
    return bind_plan(function);
  }
  std::shared_ptr<BoundFunction> bind_at(const FuncName& function, const CallSite& site) override {
    return bind_plan(function, site);
  }
  std::shared_ptr<PlanFunction> bind_plan(const FuncName& function, const CallSite& site = {});
  std::shared_ptr<BackgroundCalls> make_background_calls() override;
  RemoteCaller* remote_caller() override { return runtime_.remote_caller(); }

  std::int64_t deadline_nanos() const { return deadline_nanos_; }
  bool is_traced() const { return is_traced_; }
  // Who looks at what the functions' kernels make, if anybody.
  NanSearch* nan_search = nullptr;
  void add(StepTrace trace);           // of a call that has ended
  void move_trace_to(StepTrace& all);  // when the step has ended

 private:
  FunctionRuntime& runtime_;
  const std::int64_t deadline_nanos_;
  const bool is_traced_;
  FunctionTable* const own_;
  std::mutex mutex_;
  StepTrace collected_;
};

}  // namespace rill
