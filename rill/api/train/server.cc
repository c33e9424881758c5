#include "rill/api/train/server.h"

#include "rill/base/error.h"
#include "rill/cluster/server.h"
#include "rill/cluster/status.h"
#include "rill/runtime/session/config.h"
#include "tensorflow/core/protobuf/tensorflow_server.pb.h"

namespace rill::train {
namespace {

// What may be left out where there is only one.
std::string job_of(const ClusterSpec& cluster, const ServerOptions& options) {
  if (!options.job_name.empty()) return options.job_name;
  require(cluster.as_dict().size() == 1, "Must specify an explicit `job_name`.");
  return cluster.as_dict().begin()->first;
}
int task_of(const ClusterSpec& cluster, const std::string& job, const ServerOptions& options) {
  if (options.task_index >= 0) return options.task_index;
  const auto it = cluster.as_dict().find(job);
  require(it == cluster.as_dict().end() || it->second.size() == 1,
          "Must specify an explicit `task_index`.");
  return 0;
}

tensorflow::ServerDef server_def(const ClusterSpec& cluster, const ServerOptions& options) {
  tensorflow::ServerDef def;
  *def.mutable_cluster() = cluster.as_cluster_def();
  def.set_job_name(job_of(cluster, options));
  def.set_task_index(task_of(cluster, def.job_name(), options));
  def.set_protocol(options.protocol);
  auto& config = *def.mutable_default_session_config();
  config = config_proto(options.config);
  config.set_intra_op_parallelism_threads(options.config.intra_op_threads);
  for (const auto& [type, count] : options.config.device_count)
    (*config.mutable_device_count())[type] = count;
  return def;
}

}  // namespace

namespace {

cluster::TaskOptions task_options(const ServerOptions& options) {
  const ClusterSecurity& security = options.security;
  return {.security = {.certificate = security.certificate,
                       .key = security.key,
                       .authority = security.authority,
                       .token = security.token},
          .ops = {.refuse = options.refuse, .allow = options.allow}};
}

}  // namespace

Server::Server(const tensorflow::ServerDef& def) : Server(def, {}) {}

Server::Server(const tensorflow::ServerDef& def, const ServerOptions& options)
    : server_(cluster::Server::create(def, task_options(options))) {}

Server::Server(const ClusterSpec& cluster, const ServerOptions& options)
    : Server(server_def(cluster, options), options) {
  if (options.start) start();
}

Server Server::create_local_server(const SessionOptions& config) {
  return Server(ClusterSpec{{"localhost", {"localhost:0"}}}, {.config = config});
}

Server::~Server() = default;
Server::Server(Server&&) noexcept = default;
Server& Server::operator=(Server&&) noexcept = default;

std::string cluster_status(const std::string& target) { return cluster::cluster_status(target); }

void Server::start() { server_->start(); }
void Server::join() { server_->join(); }
const std::string& Server::target() const { return server_->target(); }

}  // namespace rill::train
