#include "rill/serve/server.h"

#include <thread>

#include "rill/serve/rpc/methods.h"

namespace rill::serve {

Server::Server(const ServerOptions& options, const messages::ModelServerConfig& config,
               const std::function<bool()>& give_up)
    : core_(options.core), rest_(rest_service_, options.rest) {
  core_.reload(config, give_up);
  if (options.has_grpc) {
    grpc_server_ = std::make_unique<GrpcServer>(serving_methods(grpc_service_), options.grpc);
    grpc_server_->set_serving(true);
  }
  if (options.has_rest)
    http_server_ = std::make_unique<HttpServer>(
        [this](HttpRequest request, std::function<void(HttpResponse)> reply) {
          rest_.handle(std::move(request), std::move(reply));
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
  if (grpc_server_ != nullptr) grpc_server_->set_serving(false);
  std::thread rest([&] {
    if (http_server_ != nullptr) http_server_->shut_down(grace_millis);
  });
  if (grpc_server_ != nullptr) grpc_server_->shut_down(grace_millis);
  rest.join();
}

}  // namespace rill::serve
