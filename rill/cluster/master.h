#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>

#include "rill/cluster/client_watch.h"
#include "rill/cluster/cluster_spec.h"
#include "rill/cluster/long_calls.h"
#include "rill/cluster/master_session.h"
#include "rill/cluster/periodic.h"
#include "rill/cluster/service.h"
#include "rill/runtime/step/step_threads.h"

namespace tensorflow {
class CallableOptions;
class ConfigProto;
class CreateSessionRequest;
class CreateSessionResponse;
class ListDevicesResponse;
class PartialRunSetupRequest;
class PartialRunSetupResponse;
class ResetRequest;
class ResetResponse;
class RunCallableRequest;
class RunCallableResponse;
class RunStepRequest;
class RunStepResponse;
}  // namespace tensorflow

namespace rill::wire {
class StatusResponse;
}

namespace rill::cluster {

class Worker;

struct MasterOptions {
  ClusterSpec cluster;
  std::shared_ptr<const net::ClientSecurity> security = {};  // of calls of other tasks
};

// The sessions that clients have opened here. Its methods are TensorFlow's MasterService.
class Master {
 public:
  // `worker` is this process's own, and outlives it.
  Master(MasterOptions options, Worker& worker);
  ~Master();  // closes the sessions

  const Service& service() const { return service_; }
  std::size_t session_count() const;
  void tell(wire::StatusResponse* status);  // its sessions

 private:
  struct Session {
    std::shared_ptr<MasterSession> session;
    std::map<std::int64_t, std::shared_ptr<const tensorflow::CallableOptions>> callables;
    std::int64_t next_callable = 1;
    std::int64_t used_nanos = 0;
  };

  void add_methods();
  std::shared_ptr<MasterSession> session(const std::string& handle, bool is_use = true);
  std::shared_ptr<const Links> links(const ClusterSpec& cluster,
                                     std::span<const std::string> filters) const;
  SessionTasks find_tasks(const tensorflow::ConfigProto& config, const tensorflow::GraphDef& graph,
                          const net::CallLimits& limits);
  void create_session(const tensorflow::CreateSessionRequest& request,
                      tensorflow::CreateSessionResponse* response, const net::CallLimits& limits);
  void close_session(const std::string& handle);
  void close_idle_sessions();
  void partial_run_setup(const tensorflow::PartialRunSetupRequest& request,
                         tensorflow::PartialRunSetupResponse* response,
                         const net::CallLimits& limits);
  void run_step(const tensorflow::RunStepRequest& request, tensorflow::RunStepResponse* response,
                const net::CallLimits& limits);
  std::int64_t make_callable(const std::string& handle, const tensorflow::CallableOptions& options);
  void run_callable(const tensorflow::RunCallableRequest& request,
                    tensorflow::RunCallableResponse* response, const net::CallLimits& limits);
  void list_devices(const std::string& handle, tensorflow::ListDevicesResponse* response);
  void reset(const tensorflow::ResetRequest& request, tensorflow::ResetResponse* response,
             const net::CallLimits& limits);
  template <class Request, class Response>
  void add_long(const std::string& name,
                void (Master::*method)(const Request&, Response*, const net::CallLimits&));

  const MasterOptions options_;
  Worker& worker_;
  const std::shared_ptr<const Service> own_;  // the worker's
  Service service_;
  mutable std::mutex mutex_;
  std::map<std::string, Session> sessions_;
  std::set<std::string> seen_;  // tasks
  StepThreads threads_;
  LongCalls long_calls_{threads_};
  Periodic forgetting_;  // ends first
};

}  // namespace rill::cluster
