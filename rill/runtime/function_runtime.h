#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "rill/graph/function_body.h"
#include "rill/kernel/detached_calls.h"
#include "rill/runtime/compile.h"
#include "rill/runtime/executor.h"

namespace rill {

class DetachedWork;

// Calls may nest this deep; a function that calls itself without end is stopped here. Each level
// takes a few kilobytes of the thread's stack.
inline constexpr int kMaxCallDepth = 400;

// The functions of a session's graph: each is instantiated and compiled once per set of attributes,
// when it is first called, and kept as long as the session. Safe from several threads.
class FunctionRuntime {
 public:
  FunctionRuntime(const Graph& graph, KernelCache& kernels, ThreadPool& pool,
                  const CompileOptions& passes, bool may_spread, ResourceManager& resources);
  ~FunctionRuntime();

  // As FunctionCaller::bind.
  std::shared_ptr<BoundFunction> bind(const FuncName& function);
  std::string library_bytes() const;  // a serialized FunctionDefLibrary
  // The session's work between steps.
  DetachedWork& detached() { return *detached_; }

 private:
  FunctionBody body_of(const FuncName& function);

  const Graph& graph_;
  KernelCache& kernels_;
  ThreadPool& pool_;
  const CompileOptions passes_;
  const bool may_spread_;
  std::mutex mutex_;
  struct Bound;
  std::map<std::string, std::vector<Bound>, std::less<>> bound_;
  const std::shared_ptr<DetachedWork> detached_;
};

// What one step offers to its kernels of the session's functions, with what the step's own run is
// limited and watched by.
class StepFunctions final : public FunctionCaller, public DetachesCalls {
 public:
  StepFunctions(FunctionRuntime& runtime, std::int64_t deadline_nanos, bool wants_stats)
      : runtime_(runtime), deadline_nanos_(deadline_nanos), wants_stats_(wants_stats) {}
  std::shared_ptr<BoundFunction> bind(const FuncName& function) override {
    return runtime_.bind(function);
  }
  std::shared_ptr<DetachedCalls> detach() override;

  std::int64_t deadline_nanos() const { return deadline_nanos_; }
  bool wants_stats() const { return wants_stats_; }
  void add(StepStats stats);           // of a call that has ended
  void move_stats_to(StepStats& all);  // when the step has ended

 private:
  FunctionRuntime& runtime_;
  const std::int64_t deadline_nanos_;
  const bool wants_stats_;
  std::mutex mutex_;
  StepStats collected_;
};

}  // namespace rill
