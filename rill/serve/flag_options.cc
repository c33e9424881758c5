#include "rill/serve/flag_options.h"

#include <algorithm>

#include "rill/base/log.h"
#include "rill/io/saved_model.h"
#include "rill/serve/batch/batching.h"
#include "rill/serve/config/config_file.h"
#include "rill/serve/config/model_config.h"
#include "rill/serve/flag_files.h"
#include "rill/serve/live_runners.h"
#include "rill/serve/model/model_adapter.h"
#include "rill/serve/model/op_policy.h"
#include "rill/serve/rest/json_text.h"
#include "rill/serve/service/model_platforms.h"

namespace rill::serve {
namespace {

SessionOptions session_options_of(const ServerFlags& flags) {
  const bool shared = flags.tensorflow_session_parallelism != 0;
  require(!shared || flags.tensorflow_intra_op_parallelism == 0 ||
              flags.tensorflow_inter_op_parallelism == 0,
          "Either configure tensorflow_session_parallelism or (tensorflow_intra_op_parallelism, ",
          "tensorflow_inter_op_parallelism) separately.");
  SessionOptions options;
  const auto threads = [&](std::int64_t own) {
    return static_cast<int>(
        std::clamp<std::int64_t>(shared ? flags.tensorflow_session_parallelism : own, 0, 1024));
  };
  options.intra_op_threads = threads(flags.tensorflow_intra_op_parallelism);
  options.inter_op_threads = threads(flags.tensorflow_inter_op_parallelism);
  return options;
}

std::vector<std::pair<std::string, std::string>> channel_arguments(const std::string& text) {
  std::vector<std::pair<std::string, std::string>> arguments;
  for (const std::string_view item : split(text, ',')) {
    if (item.empty()) continue;
    const std::size_t equals = item.find('=');
    require(equals != std::string_view::npos, "--grpc_channel_arguments: ", item,
            " is not name=value");
    arguments.emplace_back(item.substr(0, equals), item.substr(equals + 1));
  }
  return arguments;
}

int port_of(std::int64_t port, const char* name) {
  require(port >= 0 && port <= 65535, "--", name, " is a number up to 65535, not ", port);
  return static_cast<int>(port);
}

std::string with_port(const std::string& address, int port) {
  const bool is_v6 = address.find(':') != std::string::npos;
  return is_v6 ? str_cat("[", address, "]:", port) : str_cat(address, ":", port);
}

BatchingOptions counted_batching(const ServerFlags& flags, std::shared_ptr<Metrics> metrics) {
  BatchingOptions options = batching_options(flags.batching_parameters_file);
  options.metrics = std::move(metrics);
  return options;
}

// Has models join requests as the file says that the flags name, and `read_again` follow it.
MakeRunner live_batching(const ServerFlags& flags, const std::shared_ptr<Metrics>& metrics,
                         std::function<void()>* read_again) {
  const auto read = [flags, metrics] { return batching_runners(counted_batching(flags, metrics)); };
  const auto live = std::make_shared<LiveRunners>(read());
  *read_again = [live, read] { live->set(read()); };
  return live->make();
}

// Steps that run on the threads of requests leave some of these to what needs no model.
AdmissionOptions admission_options(const ServerFlags& flags) {
  AdmissionOptions options;
  std::int64_t most = flags.max_running_steps;
  for (const std::int64_t threads : {flags.grpc_max_threads, flags.rest_api_num_threads})
    if (threads > 0) most = most > 0 ? std::min(most, threads) : threads;
  options.max_running = static_cast<int>(std::clamp<std::int64_t>(most, 0, 4096));
  options.max_queued = std::max<std::int64_t>(0, flags.max_queued_requests);
  options.max_queued_of_model = std::max<std::int64_t>(0, flags.max_queued_requests_per_model);
  options.max_wait_ms = std::max<std::int64_t>(0, flags.max_queue_wait_ms);
  return options;
}

ServerCoreOptions core_options(const ServerFlags& flags, const std::shared_ptr<Metrics>& metrics,
                               std::function<void()>* read_batching) {
  ServerCoreOptions core;
  core.manager.policy = flags.resource_preserving ? TransitionPolicy::kResourcePreserving
                                                  : TransitionPolicy::kAvailabilityPreserving;
  core.manager.load_threads =
      static_cast<int>(std::clamp<std::int64_t>(flags.num_load_threads, 1, 256));
  core.manager.max_load_retries =
      static_cast<int>(std::clamp<std::int64_t>(flags.max_num_load_retries, 0, 1'000'000));
  core.manager.load_retry_interval_micros = flags.load_retry_interval_micros;
  core.manager.on_status = [](const ServableId& id, const VersionStatus& status) {
    if (status.state == State::kAvailable)
      log(LogLevel::kInfo, "Successfully loaded servable version ", id);
  };
  core.is_strict = flags.require_all_models;
  core.source.poll_wait_seconds = flags.file_system_poll_wait_seconds;
  core.allow_labels_for_unavailable = flags.allow_version_labels_for_unavailable_models;
  ModelOptions model;
  model.tags = saved_model::split_tag_set(flags.saved_model_tags);
  model.session = session_options_of(flags);
  model.policy = std::make_shared<OpPolicy>(flags.allowed_ops);
  model.warm_up = flags.enable_model_warmup;
  model.warm_up_rounds = static_cast<int>(
      std::clamp<std::int64_t>(flags.num_request_iterations_for_warmup, 1, 1'000'000));
  require(flags.enable_batching || flags.batching_parameters_file.empty(),
          "--batching_parameters_file is set without --enable_batching");
  model.admission = std::make_shared<Admission>(admission_options(flags), metrics);
  if (flags.enable_batching) {
    model.make_runner = live_batching(flags, metrics, read_batching);
    if (flags.enable_per_model_batching_parameters)
      model.make_runner_of_version = batching_runners_by_version(counted_batching(flags, metrics));
  }
  core.platforms = model_platforms(model, flags.platform_config_file);
  return core;
}

}  // namespace

ServerOptions server_options(const ServerFlags& flags) {
  ServerOptions options;
  const int port = port_of(flags.port, "port"),
            rest = port_of(flags.rest_api_port, "rest_api_port");
  options.has_grpc = port != 0 || !flags.grpc_socket_path.empty();
  require(options.has_grpc || rest != 0, "There is nothing to listen at: one of --port, ",
          "--grpc_socket_path and --rest_api_port has to be set");
  options.core = core_options(flags, options.metrics, &options.read_batching);
  if (port != 0) options.grpc.addresses.push_back(with_port(flags.bind_address, port));
  if (!flags.grpc_socket_path.empty())
    options.grpc.addresses.push_back("unix:" + flags.grpc_socket_path);
  options.grpc.threads =
      static_cast<int>(std::clamp<std::int64_t>(flags.grpc_max_threads, 0, 4096));
  options.grpc.channel_arguments = channel_arguments(flags.grpc_channel_arguments);
  if (flags.use_alts_credentials)
    raise(Code::kUnimplemented, "--use_alts_credentials: ALTS is not spoken here; there is TLS ",
          "(--ssl_config_file)");
  if (!flags.ssl_config_file.empty())
    options.grpc.tls = options.http.tls = std::make_shared<net::Tls>(read_tls_files(flags));
  options.grpc.max_request_bytes = flags.max_request_bytes;
  options.has_rest = rest != 0 && rest != port;
  if (rest != 0 && rest == port)
    log(LogLevel::kError, "--rest_api_port is the same as --port, so there is no HTTP/REST API");
  options.http.address = flags.bind_address;
  options.http.port = rest;
  options.http.threads =
      static_cast<int>(std::clamp<std::int64_t>(flags.rest_api_num_threads, 0, 4096));
  options.http.timeout_ms = std::max<std::int64_t>(1, flags.rest_api_timeout_in_ms);
  options.http.max_body_bytes =
      static_cast<std::uint64_t>(std::max<std::int64_t>(1, flags.max_request_bytes));
  options.rest.max_body_bytes = static_cast<std::size_t>(options.http.max_body_bytes);
  options.http.max_connections = static_cast<std::size_t>(
      std::clamp<std::int64_t>(flags.rest_api_max_connections, 1, 1'000'000));
  options.token = read_token(flags);
  set_json_nonfinite(json_nonfinite_of(flags.json_nonfinite));
  options.rest.cors = flags.rest_api_enable_cors_support;
  options.rest.prometheus_path = read_prometheus_path(flags);
  return options;
}

messages::ModelServerConfig model_config(const ServerFlags& flags) {
  if (!flags.model_config_file.empty()) return read_model_config(flags.model_config_file);
  require(!flags.model_base_path.empty(),
          "There is no model: --model_base_path=DIRECTORY or --model_config_file=FILE names some");
  return single_model(flags.model_name, flags.model_base_path);
}

}  // namespace rill::serve
