#include "rill/cluster/worker_session.h"

#include <cstdio>

#include "rill/base/error.h"

namespace rill::cluster {

std::string WorkerSession::add(const tensorflow::GraphDef& def, const CompileOptions& passes,
                               const DebugOptions& watches) {
  auto graph = std::make_shared<TaskGraph>(def, parts_, passes, watches);
  const std::lock_guard lock(mutex_);
  char handle[17];
  std::snprintf(handle, sizeof handle, "%016x", ++next_);
  graphs_.emplace(handle, std::move(graph));
  return handle;
}

std::shared_ptr<TaskGraph> WorkerSession::graph(const std::string& handle) {
  const std::lock_guard lock(mutex_);
  const auto it = graphs_.find(handle);
  if (it == graphs_.end()) fail(handle);
  return it->second;
}

int WorkerSession::graph_count() {
  const std::lock_guard lock(mutex_);
  return static_cast<int>(graphs_.size());
}

void WorkerSession::remove(const std::string& handle) {
  std::shared_ptr<TaskGraph> gone;  // ends without the lock
  const std::lock_guard lock(mutex_);
  const auto it = graphs_.find(handle);
  if (it == graphs_.end()) fail(handle);
  gone = std::move(it->second);
  graphs_.erase(it);
}

void WorkerSession::fail(const std::string& handle) const {
  raise(Code::kAborted, "Graph handle is not found: ", handle, ". Possibly, this worker (\"", task_,
        "\") just restarted.");
}

}  // namespace rill::cluster
