#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "rill/runtime/compile/compile.h"
#include "rill/runtime/function/function_runtime.h"
#include "rill/runtime/step/step_canceller.h"
#include "rill/runtime/step/step_threads.h"

namespace tensorflow {
class GraphDef;
}

namespace rill::cluster {

// What the graphs of a task share.
struct TaskParts {
  std::vector<Device*> devices;  // the task's
  ThreadPool* pool = nullptr;
  StepThreads* threads = nullptr;
  std::shared_ptr<ResourceManager> resources;
  std::shared_ptr<SharedKernels> kernels;  // of the session
  bool may_spread = true;
};

// The part of a session's graph for one signature that one task runs: values come from and go to
// others by _Recv and _Send. Safe from several threads.
class TaskGraph {
 public:
  // Throws as import_graph_def and compile_plan do.
  TaskGraph(const tensorflow::GraphDef& def, TaskParts parts, const CompileOptions& passes);
  ~TaskGraph();  // nothing of it runs any more

  // Runs all of it once, on this thread, which can be stopped by a StepCanceller.
  void run(std::int64_t step_id, Rendezvous& rendezvous, StepStats* stats);

 private:
  const TaskParts parts_;
  const std::unique_ptr<Graph> graph_;
  KernelCache kernels_;
  Placer placer_;
  InlinedBodies bodies_;
  const CompileOptions passes_;
  FunctionRuntime functions_;
  std::shared_ptr<Plan> plan_;
};

}  // namespace rill::cluster
