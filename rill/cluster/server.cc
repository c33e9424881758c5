#include "rill/cluster/server.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <mutex>

#include "rill/base/blocking.h"
#include "rill/base/log.h"
#include "rill/cluster/local_servers.h"
#include "rill/cluster/task_services.h"
#include "rill/cluster/worker.h"
#include "rill/net/grpc/grpc_server.h"
#include "tensorflow/core/protobuf/tensorflow_server.pb.h"

namespace rill::cluster {
namespace {

constexpr std::string_view kScheme = "grpc://";

// The address of its own task. The messages are TensorFlow's.
const std::string& own_address(const tensorflow::ServerDef& def) {
  for (const auto& job : def.cluster().job()) {
    if (job.name() != def.job_name()) continue;
    const auto it = job.tasks().find(def.task_index());
    require(it != job.tasks().end(), "Task ", def.task_index(), " was not defined in job \"",
            def.job_name(), "\"");
    return it->second;
  }
  raise(Code::kInternal, "Job \"", def.job_name(), "\" was not defined in cluster");
}

struct HostPort {
  std::string host;
  int port = 0;
};

HostPort host_port(const std::string& address) {
  const std::size_t colon = address.rfind(':');
  int port = -1;
  if (colon != std::string::npos) {
    const char* const begin = address.data() + colon + 1;
    const char* const end = address.data() + address.size();
    if (const auto [at, error] = std::from_chars(begin, end, port);
        error != std::errc() || at != end)
      port = -1;
  }
  require(port >= 0 && port < 65536, "Could not parse port for local server from \"", address,
          "\".");
  return {address.substr(0, colon), port};
}

bool is_this_machine(const std::string& host) {
  return host == "localhost" || host.starts_with("127.") || host == "[::1]";
}

std::string listening_address(const HostPort& own, bool knows_clients) {
  if (is_this_machine(own.host)) return str_cat("127.0.0.1:", own.port);
  const char* const open = std::getenv("RILL_CLUSTER_OPEN");
  if (!knows_clients && (open == nullptr || std::string_view(open) != "1"))
    raise(Code::kFailedPrecondition, "The server's address ", own.host, ":", own.port,
          " can be reached from other machines, and whoever reaches it may run what he likes in "
          "this process. Let in those alone who have a certificate (RILL_CLUSTER_CERTIFICATE, "
          "RILL_CLUSTER_KEY and RILL_CLUSTER_AUTHORITY) or a token (RILL_CLUSTER_TOKEN), or set "
          "RILL_CLUSTER_OPEN=1 where everybody on the network may be trusted.");
  return str_cat("0.0.0.0:", own.port);
}

}  // namespace

struct Server::Impl {
  Impl(const tensorflow::ServerDef& wanted, const TaskOptions& options) : def(wanted) {
    require(def.protocol().empty() || def.protocol() == "grpc", "The protocol \"", def.protocol(),
            "\" is not known: \"grpc\" is");
    const HostPort own = host_port(own_address(def));
    const ServerSecurity security = server_security(options.security);
    listens_at = listening_address(own, security.knows_clients);
    services = std::make_unique<TaskServices>(def, options);
    net::RpcMethods methods = services->service().methods();
    try {
      grpc = std::make_unique<net::GrpcServer>(
          std::move(methods),
          net::GrpcServerOptions{
              .addresses = {listens_at},
              .tls = security.tls,
              // A client whose machine is gone is noticed in a minute, not in two hours.
              .channel_arguments = {{"grpc.keepalive_time_ms", "20000"},
                                    {"grpc.keepalive_timeout_ms", "20000"}},
              .authorizer = security.authorizer});
    } catch (const Error& error) {
      raise(Code::kUnknown, "Could not start gRPC server: ", error.message());
    }
    target = str_cat(kScheme, "localhost:", grpc->ports().front());
  }

  ~Impl() { stop(); }

  void stop() {
    {
      const std::lock_guard lock(mutex);
      if (std::exchange(stopped, true)) return;
    }
    forget_local_server(target.substr(kScheme.size()));
    if (process_collectives().collectives == services->worker().collectives())
      set_process_collectives({});
    grpc->shut_down(0);
    const std::lock_guard lock(mutex);
    changed.notify_all();
  }

  const tensorflow::ServerDef def;
  std::string listens_at, target;
  std::unique_ptr<TaskServices> services;
  std::unique_ptr<net::GrpcServer> grpc;
  std::mutex mutex;
  std::condition_variable changed;
  bool stopped = false;
};

Server::Server(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
Server::~Server() { impl_->stop(); }

std::unique_ptr<Server> Server::create(const tensorflow::ServerDef& def,
                                       const TaskOptions& options) {
  auto impl = std::make_shared<Impl>(def, options);
  register_local_server(impl->target.substr(kScheme.size()),
                        std::shared_ptr<const Service>(impl, &impl->services->service()));
  return std::unique_ptr<Server>(new Server(std::move(impl)));
}

// It listens since it was made, as TensorFlow's: clients may find it before it is started.
void Server::start() {
  const std::lock_guard lock(impl_->mutex);
  if (impl_->stopped) raise(Code::kUnimplemented, "Clean shutdown is not currently implemented");
}

void Server::stop() { impl_->stop(); }

void Server::join_process_group() {
  const Worker& worker = impl_->services->worker();
  set_process_collectives({worker.collectives(), worker.task() + "/device:CPU:0"});
}

void Server::join() {
  const Blocking blocking;
  std::unique_lock lock(impl_->mutex);
  impl_->changed.wait(lock, [&] { return impl_->stopped; });
}

bool Server::join_for(std::int64_t millis) {
  const Blocking blocking;
  std::unique_lock lock(impl_->mutex);
  return impl_->changed.wait_for(lock, std::chrono::milliseconds(millis),
                                 [&] { return impl_->stopped; });
}

const std::string& Server::target() const { return impl_->target; }
const tensorflow::ServerDef& Server::def() const { return impl_->def; }

}  // namespace rill::cluster
