#include "rill/serve/flag_options.h"

#include <algorithm>
#include <locale>
#include <sstream>

#include "rill/base/log.h"
#include "rill/io/saved_model.h"
#include "rill/runtime/session/config.h"
#include "rill/serve/batch/batching.h"
#include "rill/serve/config/config_file.h"
#include "rill/serve/config/model_config.h"
#include "rill/serve/flag_files.h"
#include "rill/serve/live_runners.h"
#include "rill/serve/model/model_adapter.h"
#include "rill/serve/model/op_policy.h"
#include "rill/serve/rest/json_text.h"
#include "rill/serve/service/model_platforms.h"
#include "tensorflow/core/protobuf/config.pb.h"

namespace rill::serve {
namespace {

SessionOptions session_options_of(const ServerFlags& flags) {
  const bool shared = flags.tensorflow_session_parallelism != 0;
  require(!shared || flags.tensorflow_intra_op_parallelism == 0 ||
              flags.tensorflow_inter_op_parallelism == 0,
          "Either configure tensorflow_session_parallelism or (tensorflow_intra_op_parallelism, ",
          "tensorflow_inter_op_parallelism) separately.");
  SessionOptions options;
  if (!flags.tensorflow_session_config_file.empty()) {
    tensorflow::ConfigProto config;
    read_text_config(flags.tensorflow_session_config_file, &config);
    options = session_options(config);
  }
  const auto set_threads = [&](std::int64_t own, int* threads) {
    const std::int64_t wanted = shared ? flags.tensorflow_session_parallelism : own;
    if (wanted != 0) *threads = static_cast<int>(std::clamp<std::int64_t>(wanted, 0, 1024));
  };
  set_threads(flags.tensorflow_intra_op_parallelism, &options.intra_op_threads);
  set_threads(flags.tensorflow_inter_op_parallelism, &options.inter_op_threads);
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

double fraction_of(const std::string& text, const char* name) {
  std::istringstream stream(text);
  stream.imbue(std::locale::classic());
  double value = 0;
  require(stream >> value && stream.eof() && value >= 0 && value <= 1, "--", name,
          " is a number from 0 to 1, not ", text);
  return value;
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

int at_most(std::int64_t value, std::int64_t most) {
  return static_cast<int>(std::clamp<std::int64_t>(value, 0, most));
}

std::map<std::string, LaneOptions> lane_options(const ModelSettings& settings) {
  std::map<std::string, LaneOptions> lanes;
  for (const auto& [name, model] : *settings.all())
    lanes[name] = {.max_running = at_most(model.max_running_steps(), 4096),
                   .max_queued = model.max_queued_requests(),
                   .max_wait_ms = model.max_queue_wait_ms(),
                   .priority = model.priority()};
  return lanes;
}

// Has the server follow what the file says now.
void read_settings(const ServerFlags& flags, ModelSettings& settings, Admission& admission) {
  if (flags.serving_options_file.empty() && flags.serving_options.empty()) return;
  serving::ServingOptions options, given;
  if (!flags.serving_options_file.empty()) read_text_config(flags.serving_options_file, &options);
  parse_text_config(flags.serving_options, "--serving_options", &given);
  options.MergeFrom(given);
  settings.set(options);
  admission.configure(lane_options(settings));
}

ServerCoreOptions core_options(const ServerFlags& flags, ServerOptions& options) {
  const std::shared_ptr<Metrics>& metrics = options.metrics;
  ServerCoreOptions core;
  core.manager.policy = flags.resource_preserving ? TransitionPolicy::kResourcePreserving
                                                  : TransitionPolicy::kAvailabilityPreserving;
  core.manager.load_threads =
      static_cast<int>(std::clamp<std::int64_t>(flags.num_load_threads, 1, 256));
  core.manager.max_load_retries =
      static_cast<int>(std::clamp<std::int64_t>(flags.max_num_load_retries, 0, 1'000'000));
  core.manager.load_retry_interval_micros = flags.load_retry_interval_micros;
  core.manager.unload_threads = at_most(flags.num_unload_threads, 256);
  core.is_strict = flags.require_all_models;
  core.settings = options.settings;
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
  model.settings = options.settings;
  model.metrics = metrics;
  model.admission = std::make_shared<Admission>(admission_options(flags), metrics);
  options.read_settings = [flags, settings = options.settings, admission = model.admission] {
    read_settings(flags, *settings, *admission);
  };
  options.read_settings();
  if (flags.enable_batching) {
    model.make_runner = live_batching(flags, metrics, &options.read_batching);
    if (flags.enable_per_model_batching_parameters)
      model.make_runner_of_version = batching_runners_by_version(counted_batching(flags, metrics));
  }
  core.platforms = model_platforms(model, flags.platform_config_file);
  core.platforms.try_emplace("ensemble", std::make_shared<EnsembleAdapter>(options.finder));
  return core;
}

void set_telemetry(const ServerFlags& flags, ServerOptions* options) {
  options->log =
      std::make_shared<ServerLog>(ServerLog::Options{.format = log_format_of(flags.log_format),
                                                     .level = log_level_of(flags.log_level),
                                                     .access_path = flags.access_log},
                                  &options->metrics->log_lines_lost);
  options->traces = {.file = flags.trace_file,
                     .endpoint = flags.trace_endpoint,
                     .sampling = fraction_of(flags.trace_sampling, "trace_sampling")};
  options->has_profiles = flags.enable_debug_endpoints;
  options->has_profiler_service = flags.enable_debug_endpoints || flags.enable_profiler;
  options->has_session_service = flags.enable_session_service;
}

net::AllowedUsers users_of(const std::string& text) {
  net::AllowedUsers users;
  for (const std::string_view item : split(text, ',')) {
    long long user = 0;
    if (item.empty()) continue;
    require(parse_int(item, &user) && user >= 0 && user <= 0xffffffffLL,
            "--socket_users has numbers of users, not ", item);
    users.push_back(static_cast<std::uint32_t>(user));
  }
  return users;
}

// Sockets that a service manager opened go before those that flags name.
void use_inherited(ServerOptions* options) {
  std::multimap<std::string, std::string> sockets = net::inherited_sockets();
  const auto take = [&](const char* name) -> std::string {
    auto found = sockets.find(name);
    if (found == sockets.end()) found = sockets.find("unknown");
    if (found == sockets.end()) return {};
    const std::string address = found->second;
    sockets.erase(found);
    return address;
  };
  if (sockets.empty()) return;
  if (const std::string grpc = take("grpc"); !grpc.empty()) {
    options->has_grpc = true;
    options->grpc.addresses = {grpc};
  }
  if (const std::string rest = take("rest"); !rest.empty()) {
    options->has_rest = true;
    options->http.address = rest;
  }
  for (const auto& [name, address] : sockets)
    log(LogLevel::kWarning, "The inherited socket ", name, " (", address, ") is not used: there ",
        "are grpc and rest");
}

}  // namespace

ServerOptions server_options(const ServerFlags& flags) {
  ServerOptions options;
  const int port = port_of(flags.port, "port"),
            rest = port_of(flags.rest_api_port, "rest_api_port");
  options.has_grpc = port != 0 || !flags.grpc_socket_path.empty();
  const bool has_rest_socket = !flags.rest_api_socket_path.empty();
  require(!has_rest_socket || rest == 0, "--rest_api_socket_path is instead of --rest_api_port");
  require(options.has_grpc || rest != 0 || has_rest_socket,
          "There is nothing to listen at: one of --port, ",
          "--grpc_socket_path and --rest_api_port has to be set");
  options.core = core_options(flags, options);
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
  options.has_rest = (rest != 0 && rest != port) || has_rest_socket;
  if (rest != 0 && rest == port)
    log(LogLevel::kError, "--rest_api_port is the same as --port, so there is no HTTP/REST API");
  options.http.address =
      has_rest_socket ? "unix:" + flags.rest_api_socket_path : flags.bind_address;
  options.grpc.allowed_users = options.http.allowed_users = users_of(flags.socket_users);
  options.http.port = rest;
  options.http.threads =
      static_cast<int>(std::clamp<std::int64_t>(flags.rest_api_num_threads, 0, 4096));
  options.http.timeout_ms = std::max<std::int64_t>(1, flags.rest_api_timeout_in_ms);
  options.http.max_body_bytes =
      static_cast<std::uint64_t>(std::max<std::int64_t>(1, flags.max_request_bytes));
  options.rest.max_body_bytes = static_cast<std::size_t>(options.http.max_body_bytes);
  options.http.max_connections = static_cast<std::size_t>(
      std::clamp<std::int64_t>(flags.rest_api_max_connections, 1, 1'000'000));
  set_telemetry(flags, &options);
  options.token = read_token(flags);
  set_json_nonfinite(json_nonfinite_of(flags.json_nonfinite));
  options.rest.cors = flags.rest_api_enable_cors_support;
  options.rest.prometheus_path = read_prometheus_path(flags);
  use_inherited(&options);
  return options;
}

messages::ModelServerConfig model_config(const ServerFlags& flags) {
  if (!flags.model_config_file.empty()) return read_model_config(flags.model_config_file);
  require(!flags.model_base_path.empty(),
          "There is no model: --model_base_path=DIRECTORY or --model_config_file=FILE names some");
  return single_model(flags.model_name, flags.model_base_path);
}

}  // namespace rill::serve
