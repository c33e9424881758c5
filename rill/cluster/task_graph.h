#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "rill/cluster/remote_calls.h"
#include "rill/passes/debug_options.h"
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
  // Whether the session's tasks number executions of loops as TensorFlow does since 2.3.
  bool newer_loop_numbers = false;
  std::string session = {};            // its handle
  std::shared_ptr<const Links> links;  // to the session's tasks
  bool may_spread = true;
};

// The part of a session's graph for one signature that one task runs: values come from and go to
// others by _Recv and _Send. Safe from several threads.
class TaskGraph {
 public:
  // What `watches` name is published whenever it runs; then no pass rewrites it. Throws as
  // import_graph_def, compile_plan and watch_tensors do.
  TaskGraph(const tensorflow::GraphDef& def, TaskParts parts, const CompileOptions& passes,
            DebugOptions watches = {});
  ~TaskGraph();  // nothing of it runs any more

  // Runs all of it once, on this thread, which can be stopped by a StepCanceller.
  void run(std::int64_t step_id, Rendezvous& rendezvous, StepStats* stats);

 private:
  std::shared_ptr<Plan> watched_plan();
  void run_kernels(StepContext& step, Workspace& workspace, Rendezvous& rendezvous,
                   const ExecutorOptions& options);

  const TaskParts parts_;
  const std::unique_ptr<Graph> graph_;
  KernelCache kernels_;
  Placer placer_;
  InlinedBodies bodies_;
  const CompileOptions passes_;
  RemoteCalls remote_;
  FunctionRuntime functions_;
  const DebugOptions watches_;
  std::vector<std::string> watched_graphs_;  // what each device runs then
  std::shared_ptr<Plan> plan_;
};

}  // namespace rill::cluster
