#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "rill/base/scheduler.h"
#include "rill/cluster/remote_device.h"
#include "rill/cluster/step_rendezvous.h"
#include "rill/cluster/task_calls.h"
#include "rill/graph/graph.h"
#include "rill/runtime/placement/placer.h"
#include "rill/runtime/plan/kernel_cache.h"

namespace tensorflow {
class ConfigProto;
class DeviceAttributes;
class GraphDef;
class RunMetadata;
class RunStepRequest;
class RunStepResponse;
class TensorProto;
}  // namespace tensorflow

namespace rill::cluster {

// What a session's master knows of the cluster.
struct SessionTasks {
  std::string own;                     // the task that the master is part of
  std::shared_ptr<const Links> links;  // to the tasks that the session may use, this one too
  std::vector<std::unique_ptr<RemoteDevice>> devices;  // the client's first
};

// A session of a client: its graph, cut for each signature into the parts that tasks run. Safe from
// several threads.
class MasterSession {
 public:
  MasterSession(std::string handle, SessionTasks tasks, const tensorflow::ConfigProto& config);
  ~MasterSession();

  const std::string& handle() const { return handle_; }
  const std::vector<std::unique_ptr<RemoteDevice>>& devices() const { return tasks_.devices; }
  // Tells every task of the session. Throws what one of them answers.
  void open(const tensorflow::ConfigProto& config);
  // Adds nodes; `version` is the one that the client knows. Returns the new one.
  std::int64_t extend(const tensorflow::GraphDef& def, std::int64_t version);
  std::int64_t version();

  struct Signature {
    std::vector<std::string> feeds, fetches, targets;
  };
  struct StepLimits {
    std::int64_t timeout_ms = 0;
    std::function<bool()> is_gone;
    bool traces = false;
    bool partition_graphs = false;
  };
  // Runs a step. `feeds` as the signature's; results as its fetches, each written by `give`.
  using Feeds = std::vector<const tensorflow::TensorProto*>;
  void run(const Signature& signature, const Feeds& feeds, const StepLimits& limits,
           const std::function<tensorflow::TensorProto*(std::size_t)>& result,
           tensorflow::RunMetadata* metadata);
  // Lets the tasks forget the session; steps under way are cancelled.
  void close();

 private:
  struct Part {
    std::string task, handle, graph;  // `graph`: serialised
  };
  struct Step {
    std::vector<Part> parts;
    std::vector<std::string> feed_keys;   // where feeds are sent in the client's part
    std::vector<std::string> fetch_keys;  // each fetch's
    LongMutex mutex;
    bool is_registered = false;
  };

  std::shared_ptr<Step> step(const Signature& signature);
  std::shared_ptr<Step> cut(const Signature& signature);
  void register_parts(Step& step, const StepLimits& limits);
  void clean_up(const Step& step, std::int64_t step_id);
  std::string client_key(const std::string& tensor) const;

  const std::string handle_;
  const SessionTasks tasks_;
  const bool isolates_;
  const std::int64_t timeout_ms_;
  const std::string graph_options_;  // serialised
  Graph graph_;
  KernelCache kernels_;
  Placer placer_;
  std::mutex mutex_;
  std::int64_t version_ = 0;
  std::map<std::string, std::shared_ptr<Step>> steps_;  // by signature
  std::map<std::int64_t, std::shared_ptr<Step>> running_;
  bool closed_ = false;
};

}  // namespace rill::cluster
