#include "rill/cluster/task_services.h"

#include "rill/base/clock.h"
#include "rill/cluster/master.h"
#include "rill/cluster/status.h"
#include "rill/cluster/worker.h"
#include "rill/graph/graph.h"
#include "rill/runtime/session/config.h"
#include "rill_cluster/cluster.pb.h"
#include "tensorflow/core/protobuf/tensorflow_server.pb.h"

namespace rill::cluster {

TaskServices::TaskServices(const tensorflow::ServerDef& def, const TaskOptions& options)
    : began_(monotonic_nanos()) {
  const ClusterSpec cluster(def.cluster());
  const std::string task = task_name(def.job_name(), def.task_index());
  const auto security = client_security(options.security);
  SessionOptions defaults = session_options(def.default_session_config());
  defaults.guard = op_guard(options.ops);
  worker_ = std::make_unique<Worker>(WorkerOptions{
      .task = task,
      .cluster = cluster,
      .defaults = std::move(defaults),
      .security = security,
      .collective_leader = def.default_session_config().experimental().collective_group_leader()});
  master_ =
      std::make_unique<Master>(MasterOptions{.cluster = cluster, .security = security}, *worker_);
  service_.add_all(worker_->service());
  service_.add_all(master_->service());
  add_status(cluster.addresses().contains(task) ? cluster.address(task) : std::string());
}

TaskServices::~TaskServices() = default;

void TaskServices::add_status(const std::string& address) {
  service_.answer<wire::StatusRequest, wire::StatusResponse>(
      kStatus, [this, address](const auto&, auto* status) {
        status->set_task(worker_->task());
        status->set_address(address);
        status->set_graph_version(kGraphDefVersion);
        status->set_up_millis((monotonic_nanos() - began_) / 1'000'000);
        tell_contacts(worker_->cluster(), status);
        master_->tell(status);
        worker_->tell(status);
      });
}

}  // namespace rill::cluster
