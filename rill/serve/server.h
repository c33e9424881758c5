#pragma once

#include <memory>
#include <string>

#include "rill/net/grpc/grpc_server.h"
#include "rill/net/http/http_server.h"
#include "rill/serve/http_frontend.h"
#include "rill/serve/model/ensemble.h"
#include "rill/serve/rest/rest_api.h"
#include "rill/serve/service/request_log.h"
#include "rill/serve/service/server_core.h"
#include "rill/serve/telemetry/server_log.h"
#include "rill/serve/telemetry/traces.h"
#include "rill/serve/token.h"

namespace rill::serve {

struct ServerOptions {
  ServerCoreOptions core;
  bool has_grpc = true, has_rest = true;
  net::GrpcServerOptions grpc;  // its authorizer is set by Server
  net::HttpServerOptions http;
  RestOptions rest;
  std::string token;  // that requests must bring, but for health checks; "": none
  // Shared with who counts elsewhere: batches, say.
  std::shared_ptr<Metrics> metrics = std::make_shared<Metrics>();
  std::shared_ptr<ServerLog> log;  // none: nothing is told
  Traces::Options traces;
  std::shared_ptr<ModelSettings> settings = std::make_shared<ModelSettings>();
  std::shared_ptr<ModelFinder> finder = std::make_shared<ModelFinder>();  // for ensembles
  bool has_session_service = false;
  bool has_profiles = false;          // /debug/profile
  bool has_profiler_service = false;  // tensorflow.ProfilerService
  // Reads the parameters of batching again and has the models follow them; may be empty.
  std::function<void()> read_batching;
  // The same of the settings of models.
  std::function<void()> read_settings;
};

// A model server: models, and the ports on which they are served.
class Server {
 public:
  // Loads the models, then opens the ports. Throws what ServerCore::reload throws, Unavailable when
  // an address is taken. `give_up` ends waiting for models.
  Server(const ServerOptions& options, const messages::ModelServerConfig& config,
         const std::function<bool()>& give_up = {});
  ~Server();  // as shut_down(0)

  ServerCore& core() { return core_; }
  int grpc_port() const;  // of the first address; 0 when there is none
  int rest_port() const;
  const Metrics& metrics() const { return *metrics_; }

  // These may change while requests come. TLS: ServerOptions::grpc.tls and http.tls.
  void set_token(std::string token) { token_->set(std::move(token)); }
  void set_prometheus_path(const std::string& path) { http_frontend_.set_prometheus_path(path); }

  // Says that it is not ready, takes no more requests, answers those that there are, within this
  // time; and leaves nothing of the logs unwritten.
  void shut_down(std::int64_t grace_millis);

 private:
  void note(const net::CallRecord& record, const CallOutcome& outcome) const;

  const std::shared_ptr<Metrics> metrics_;
  const std::shared_ptr<ServerLog> log_;
  const std::unique_ptr<Traces> traces_;
  RequestLogs logs_;
  const std::shared_ptr<ModelFinder> finder_;
  ServerCore core_;
  Service grpc_service_, rest_service_;
  RestApi rest_;
  const std::shared_ptr<Token> token_;
  HttpFrontend http_frontend_;
  std::unique_ptr<net::GrpcServer> grpc_server_;
  std::unique_ptr<net::HttpServer> http_server_;
};

}  // namespace rill::serve
