#include "rill/serve/server.h"

#include <thread>

#include "rill/serve/live_profile.h"
#include "rill/serve/rpc/kserve_methods.h"
#include "rill/serve/rpc/methods.h"

namespace rill::serve {
namespace {

void log_status(const ServerLog& log, const ServableId& id, const VersionStatus& status) {
  LogFields fields{{"model", id.name}, {"version", id.version}};
  // What will be tried again the manager has told of.
  if (status.error && status.state != State::kEnd) return;
  if (status.error) {
    fields.emplace_back("error", std::string(status.error->what()));
    return log.write(LogLevel::kError, str_cat("Could not load servable version ", id), fields);
  }
  const char* const text = status.state == State::kLoading ? "Loading servable version "
                           : status.state == State::kAvailable
                               ? "Successfully loaded servable version "
                           : status.state == State::kUnloading ? "Unloading servable version "
                           : status.state == State::kEnd       ? "Unloaded servable version "
                                                               : nullptr;
  if (text != nullptr) log.write(LogLevel::kInfo, str_cat(text, id), fields);
}

// The options of the core, with others told of what happens there.
ServerCoreOptions told(ServerCoreOptions options, Metrics& metrics, RequestLogs& logs,
                       const std::shared_ptr<ServerLog>& log) {
  options.manager.on_status = [before = std::move(options.manager.on_status), &metrics, log](
                                  const ServableId& id, const VersionStatus& status) {
    metrics.on_status(id, status);
    if (log != nullptr) log_status(*log, id, status);
    if (before) before(id, status);
  };
  options.on_config = [before = std::move(options.on_config),
                       &logs](const messages::ModelServerConfig& config) {
    if (before) before(config);
    logs.configure(config);
  };
  return options;
}

std::unique_ptr<Traces> traces_of(const ServerOptions& options) {
  if (!options.traces.is_on()) return nullptr;
  Metrics& metrics = *options.metrics;
  return std::make_unique<Traces>(options.traces, &metrics.spans_sent, &metrics.spans_lost);
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
      log_(options.log),
      traces_(traces_of(options)),
      logs_(metrics_),
      finder_(options.finder),
      core_(told(options.core, *metrics_, logs_, log_)),
      grpc_service_(core_, metrics_.get(), Entry::kGrpc, &logs_, options.settings),
      rest_service_(core_, metrics_.get(), Entry::kRest, &logs_, options.settings),
      rest_(rest_service_, inside(options.rest)),
      token_(std::make_shared<Token>(options.token)),
      http_frontend_(
          [this](net::HttpRequest request, net::HttpReply reply) {
            rest_.handle(std::move(request), std::move(reply));
          },
          *metrics_, *token_) {
  http_frontend_.set_prometheus_path(options.rest.prometheus_path);
  if (options.has_profiles) http_frontend_.allow_profiles();
  const bool notes_calls = traces_ != nullptr || (log_ != nullptr && log_->has_access_log());
  finder_->set([this](const messages::ModelSpec& spec) { return core_.find(spec); });
  core_.reload(config, give_up);
  if (options.has_grpc) {
    net::GrpcServerOptions grpc = options.grpc;
    grpc.authorizer = token_;
    grpc.on_end = [this](const char* reason) { metrics_->on_connection_end(Entry::kGrpc, reason); };
    if (notes_calls)
      grpc.on_call = [this](const net::CallRecord& record, Code code) {
        note(record, {.status = upper_code_name(code), .is_error = http_status(code) >= 500});
      };
    grpc.refuse_early = early_refusals(grpc_service_);
    net::RpcMethods methods = serving_methods(grpc_service_);
    if (options.has_profiler_service) methods.merge(profiler_methods());
    if (options.has_session_service) methods.merge(session_methods(grpc_service_));
    grpc_server_ =
        std::make_unique<net::GrpcServer>(std::move(methods), grpc, serving_streams(grpc_service_));
    grpc_server_->set_serving(true);
  }
  if (!options.has_rest) return;
  net::HttpServerOptions http = options.http;
  if (notes_calls)
    http.on_call = [this](const net::CallRecord& record, int status, std::size_t bytes) {
      note(record, {.status = std::to_string(status),
                    .bytes = static_cast<std::int64_t>(bytes),
                    .is_error = status >= 500});
    };
  http.refuse_early = [this](const net::HttpRequest& head,
                             const net::CallLimits& limits) -> std::optional<net::HttpResponse> {
    if (!http_frontend_.lets_in(head)) return std::nullopt;
    return rest_.early_refusal(head, RequestLimits(limits));
  };
  http_server_ = std::make_unique<net::HttpServer>(
      [this](net::HttpRequest request, const net::HttpReply& reply) {
        http_frontend_.handle(std::move(request), reply);
      },
      http);
}

void Server::note(const net::CallRecord& record, const CallOutcome& outcome) const {
  if (log_ != nullptr) log_->access(record, outcome);
  if (traces_ != nullptr) traces_->add(record, outcome);
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
  if (traces_ != nullptr) traces_->flush();
  if (log_ != nullptr) log_->flush();
}

}  // namespace rill::serve
