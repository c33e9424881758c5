#include "rill/cluster/task_services.h"

#include "rill/cluster/master.h"
#include "rill/cluster/worker.h"
#include "rill/runtime/session/config.h"
#include "tensorflow/core/protobuf/tensorflow_server.pb.h"

namespace rill::cluster {

TaskServices::TaskServices(const tensorflow::ServerDef& def) {
  const ClusterSpec cluster(def.cluster());
  worker_ = std::make_unique<Worker>(
      WorkerOptions{.task = task_name(def.job_name(), def.task_index()),
                    .cluster = cluster,
                    .defaults = session_options(def.default_session_config())});
  master_ = std::make_unique<Master>(MasterOptions{.cluster = cluster}, *worker_);
  service_.add_all(worker_->service());
  service_.add_all(master_->service());
}

TaskServices::~TaskServices() = default;

}  // namespace rill::cluster
