#include "rill/serve/server.h"

#include <thread>

#include "rill/serve/rpc/kserve_methods.h"
#include "rill/serve/rpc/methods.h"

namespace rill::serve {
namespace {

// The options of the core, with others told of what happens there.
ServerCoreOptions told(ServerCoreOptions options, Metrics& metrics, RequestLogs& logs) {
  options.manager.on_status = [before = std::move(options.manager.on_status), &metrics](
                                  const ServableId& id, const VersionStatus& status) {
    metrics.on_status(id, status);
    if (before) before(id, status);
  };
  options.on_config = [before = std::move(options.on_config),
                       &logs](const messages::ModelServerConfig& config) {
    if (before) before(config);
    logs.configure(config);
  };
  return options;
}

// HttpFrontend serves the metrics.
RestOptions inside(RestOptions options) {
  options.prometheus_path.clear();
  return options;
}

}  // namespace

Server::Server(const ServerOptions& options, const messages::ModelServerConfig& config,
               const std::function<bool()>& give_up)
    : metrics_(options.metrics),
      logs_(metrics_),
      core_(told(options.core, *metrics_, logs_)),
      grpc_service_(core_, metrics_.get(), Entry::kGrpc, &logs_),
      rest_service_(core_, metrics_.get(), Entry::kRest, &logs_),
      rest_(rest_service_, inside(options.rest)),
      token_(std::make_shared<Token>(options.token)),
      http_frontend_(
          [this](net::HttpRequest request, net::HttpReply reply) {
            rest_.handle(std::move(request), std::move(reply));
          },
          *metrics_, *token_) {
  http_frontend_.set_prometheus_path(options.rest.prometheus_path);
  core_.reload(config, give_up);
  if (options.has_grpc) {
    net::GrpcServerOptions grpc = options.grpc;
    grpc.authorizer = token_;
    grpc.on_end = [this](const char* reason) { metrics_->on_connection_end(Entry::kGrpc, reason); };
    grpc_server_ = std::make_unique<net::GrpcServer>(serving_methods(grpc_service_), grpc,
                                                     kserve_streams(grpc_service_));
    grpc_server_->set_serving(true);
  }
  if (options.has_rest)
    http_server_ = std::make_unique<net::HttpServer>(
        [this](net::HttpRequest request, const net::HttpReply& reply) {
          http_frontend_.handle(std::move(request), reply);
        },
        options.http);
}

Server::~Server() { shut_down(0); }

int Server::grpc_port() const {
  return grpc_server_ == nullptr || grpc_server_->ports().empty() ? 0 : grpc_server_->ports()[0];
}
int Server::rest_port() const { return http_server_ == nullptr ? 0 : http_server_->port(); }

void Server::shut_down(std::int64_t grace_millis) {
  core_.stop();
  http_frontend_.close();
  if (grpc_server_ != nullptr) grpc_server_->set_serving(false);
  std::thread rest([&] {
    if (http_server_ != nullptr) http_server_->shut_down(grace_millis);
  });
  if (grpc_server_ != nullptr) grpc_server_->shut_down(grace_millis);
  rest.join();
  logs_.flush();
}

}  // namespace rill::serve
