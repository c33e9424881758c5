#pragma once

#include <memory>
#include <string>

#include "rill/serve/rest/http_server.h"
#include "rill/serve/rest/rest_api.h"
#include "rill/serve/rpc/grpc_server.h"
#include "rill/serve/server_core.h"

namespace rill::serve {

struct ServerOptions {
  ServerCoreOptions core;
  bool has_grpc = true, has_rest = true;
  GrpcServerOptions grpc;
  HttpServerOptions http;
  RestOptions rest;
};

// A model server: models, and the doors through which they are asked.
class Server {
 public:
  // Loads the models, then opens the doors. Throws what ServerCore::reload throws, Unavailable when
  // an address is taken. `give_up` ends waiting for models.
  Server(const ServerOptions& options, const messages::ModelServerConfig& config,
         const std::function<bool()>& give_up = {});
  ~Server();  // as shut_down(0)

  ServerCore& core() { return core_; }
  int grpc_port() const;  // of the first address; 0 when there is none
  int rest_port() const;
  // Takes no more requests, answers those that there are, within this time.
  void shut_down(std::int64_t grace_millis);

 private:
  ServerCore core_;
  Metrics metrics_;
  Service grpc_service_{core_, &metrics_, "GRPC"}, rest_service_{core_, &metrics_, "REST"};
  RestApi rest_;
  std::unique_ptr<GrpcServer> grpc_server_;
  std::unique_ptr<HttpServer> http_server_;
};

}  // namespace rill::serve
