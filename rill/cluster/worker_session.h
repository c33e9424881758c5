#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "rill/cluster/step_rendezvous.h"
#include "rill/cluster/task_graph.h"

namespace rill::cluster {

// What a task keeps of a session: the parts of its graph that were sent here.
class WorkerSession {
 public:
  WorkerSession(TaskParts parts, std::string task)
      : parts_(std::move(parts)), task_(std::move(task)) {}

  const std::shared_ptr<const Links>& links() const { return parts_.links; }
  // Returns the handle of the new graph. Throws as TaskGraph does.
  std::string add(const tensorflow::GraphDef& def, const CompileOptions& passes,
                  const DebugOptions& watches);
  // Throws Aborted where there is none of that handle.
  std::shared_ptr<TaskGraph> graph(const std::string& handle);
  void remove(const std::string& handle);
  int graph_count();

 private:
  [[noreturn]] void fail(const std::string& handle) const;

  const TaskParts parts_;
  const std::string task_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<TaskGraph>> graphs_;
  int next_ = 0;
};

}  // namespace rill::cluster
