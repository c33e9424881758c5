#include "rill/serve/flags.h"

#include <algorithm>
#include <variant>

#include "rill/base/error.h"

namespace rill::serve {
namespace {

using Field =
    std::variant<std::int64_t ServerFlags::*, bool ServerFlags::*, std::string ServerFlags::*>;
struct Flag {
  const char* name;
  Field field;
  const char* meaning;
};

const Flag kFlags[] = {
    {"port", &ServerFlags::port, "of gRPC; 0: none"},
    {"grpc_socket_path", &ServerFlags::grpc_socket_path, "a socket file to listen at as well"},
    {"rest_api_port", &ServerFlags::rest_api_port, "of HTTP; 0: none"},
    {"rest_api_socket_path", &ServerFlags::rest_api_socket_path,
     "a socket file for HTTP, instead of a port"},
    {"socket_users", &ServerFlags::socket_users,
     "numbers of users who may connect by socket files (0,1000); empty: who may open them"},
    {"bind_address", &ServerFlags::bind_address,
     "where to listen; 0.0.0.0 for every network (TensorFlow Serving's way)"},
    {"model_name", &ServerFlags::model_name, "of the model at --model_base_path"},
    {"model_base_path", &ServerFlags::model_base_path, "directory with its versions"},
    {"model_config_file", &ServerFlags::model_config_file, "models to serve, as text"},
    {"model_config_file_poll_wait_seconds", &ServerFlags::model_config_file_poll_wait_seconds,
     "between two looks at that file; 0: one look"},
    {"file_system_poll_wait_seconds", &ServerFlags::file_system_poll_wait_seconds,
     "between two looks for versions; 0: one look, negative: none"},
    {"enable_batching", &ServerFlags::enable_batching, "join requests"},
    {"batching_parameters_file", &ServerFlags::batching_parameters_file, "how, as text"},
    {"enable_per_model_batching_parameters", &ServerFlags::enable_per_model_batching_parameters,
     "unless a version's batching_params.pbtxt says otherwise"},
    {"monitoring_config_file", &ServerFlags::monitoring_config_file, "metrics, as text"},
    {"log_format", &ServerFlags::log_format, "of lines on standard error: text or json"},
    {"log_level", &ServerFlags::log_level,
     "info, warning or error; empty: TF_CPP_MIN_LOG_LEVEL's, or info"},
    {"access_log", &ServerFlags::access_log,
     "a file with a line for every request; -: standard error; empty: none"},
    {"trace_file", &ServerFlags::trace_file,
     "OpenTelemetry's spans of requests, as lines of JSON; -: standard error"},
    {"trace_endpoint", &ServerFlags::trace_endpoint,
     "the same to a collector (OTLP over HTTP): http://localhost:4318/v1/traces"},
    {"trace_sampling", &ServerFlags::trace_sampling,
     "part of the requests without a trace of their own that begin one, 0 to 1"},
    {"enable_debug_endpoints", &ServerFlags::enable_debug_endpoints,
     "/debug/profile?seconds=5, and ProfilerService"},
    {"enable_profiler", &ServerFlags::enable_profiler, "ProfilerService alone"},
    {"enable_session_service", &ServerFlags::enable_session_service,
     "SessionRun: clients may feed and fetch any tensor, also such as change a model"},
    {"serving_options_file", &ServerFlags::serving_options_file,
     "limits, priorities, caches, canaries and shadows of models, as text"},
    {"serving_options", &ServerFlags::serving_options,
     "the same, written here: model { name: \"a\" priority: 1 }"},
    {"tensorflow_session_config_file", &ServerFlags::tensorflow_session_config_file,
     "a ConfigProto for the sessions of models, as text; other flags go before it"},
    {"num_unload_threads", &ServerFlags::num_unload_threads,
     "versions unloaded at the same time; 0: as many as there are"},
    {"ssl_config_file", &ServerFlags::ssl_config_file, "keys and certificates, as text"},
    {"use_alts_credentials", &ServerFlags::use_alts_credentials, "is refused: there is TLS"},
    {"auth_token_file", &ServerFlags::auth_token_file,
     "holds a token that requests must bring (Authorization: Bearer TOKEN)"},
    {"rest_api_num_threads", &ServerFlags::rest_api_num_threads, "0: 4 for each core"},
    {"rest_api_timeout_in_ms", &ServerFlags::rest_api_timeout_in_ms, "of a request"},
    {"rest_api_enable_cors_support", &ServerFlags::rest_api_enable_cors_support,
     "let web pages of other places ask"},
    {"json_nonfinite", &ServerFlags::json_nonfinite,
     "how JSON has NaN and infinities: literal, null, string or error"},
    {"rest_api_max_connections", &ServerFlags::rest_api_max_connections,
     "at the same time; more are refused"},
    {"grpc_max_threads", &ServerFlags::grpc_max_threads, "0: 4 for each core"},
    {"grpc_channel_arguments", &ServerFlags::grpc_channel_arguments, "name=value,..."},
    {"max_request_bytes", &ServerFlags::max_request_bytes, "a larger request is refused"},
    {"max_running_steps", &ServerFlags::max_running_steps,
     "of all models at once, without batching; 0: 4 for each core"},
    {"max_queued_requests", &ServerFlags::max_queued_requests,
     "that wait for their turn; more are refused"},
    {"max_queued_requests_per_model", &ServerFlags::max_queued_requests_per_model,
     "the same of one model"},
    {"max_queue_wait_ms", &ServerFlags::max_queue_wait_ms,
     "a request that would wait for longer is refused"},
    {"require_all_models", &ServerFlags::require_all_models,
     "start only when every model serves; else when one does"},
    {"max_num_load_retries", &ServerFlags::max_num_load_retries, "of a model that fails to load"},
    {"load_retry_interval_micros", &ServerFlags::load_retry_interval_micros, "between them"},
    {"num_load_threads", &ServerFlags::num_load_threads, "versions loaded at the same time"},
    {"allow_version_labels_for_unavailable_models",
     &ServerFlags::allow_version_labels_for_unavailable_models, "before they are loaded"},
    {"resource_preserving", &ServerFlags::resource_preserving,
     "unload the old version before the new one is loaded"},
    {"tensorflow_session_parallelism", &ServerFlags::tensorflow_session_parallelism,
     "threads of a session"},
    {"tensorflow_intra_op_parallelism", &ServerFlags::tensorflow_intra_op_parallelism,
     "threads of one op"},
    {"tensorflow_inter_op_parallelism", &ServerFlags::tensorflow_inter_op_parallelism,
     "ops at the same time"},
    {"saved_model_tags", &ServerFlags::saved_model_tags, "of the graph to serve (a,b)"},
    {"allowed_ops", &ServerFlags::allowed_ops,
     "ops that reach for files, network or process: OP for all models, MODEL:OP for one"},
    {"platform_config_file", &ServerFlags::platform_config_file,
     "what loads the models of each platform, as text"},
    {"custom_ops_library", &ServerFlags::custom_ops_library,
     "libraries with ops, kernels and source adapters of one's own (a.so,b.so)"},
    {"enable_model_warmup", &ServerFlags::enable_model_warmup,
     "ask a model what its assets.extra says before it is available"},
    {"num_request_iterations_for_warmup", &ServerFlags::num_request_iterations_for_warmup,
     "how often"},
    {"shutdown_grace_ms", &ServerFlags::shutdown_grace_ms,
     "for requests in flight when the server is asked to stop"},
    {"version", &ServerFlags::version, "say which version this is"},
};

// Flags of TensorFlow Serving that say nothing here.
constexpr const char* kIgnored[] = {"flush_filesystem_caches",
                                    "remove_unused_fields_from_bundle_metagraph",
                                    "per_process_gpu_memory_fraction",
                                    "use_tflite_model",
                                    "prefer_tflite_model",
                                    "enable_signature_method_name_check",
                                    "thread_pool_factory_config_file",
                                    "mixed_precision",
                                    "skip_initialize_tpu",
                                    "enable_grpc_healthcheck_service",
                                    "enable_serialization_as_tensor_content",
                                    "enable_forward_compatibility",
                                    "force_allow_any_version_labels_for_unavailable_models",
                                    "num_tflite_interpreters_per_pool",
                                    "num_tflite_pools",
                                    "xla_cpu_compilation_enabled",
                                    "xla_gpu_compilation_enabled",
                                    "verbosity"};

void set(bool ServerFlags::*field, const Flag& flag, const std::string& value, ServerFlags* flags) {
  const std::string text = lower(value);
  require(text == "true" || text == "false" || text == "1" || text == "0", "--", flag.name,
          " is true or false, not ", value);
  flags->*field = text == "true" || text == "1";
}
void set(std::int64_t ServerFlags::*field, const Flag& flag, const std::string& value,
         ServerFlags* flags) {
  long long number = 0;
  require(parse_int(value, &number), "--", flag.name, " is a number, not ", value);
  flags->*field = number;
}
void set(std::string ServerFlags::*field, const Flag&, const std::string& value,
         ServerFlags* flags) {
  flags->*field = value;
}

std::string text_of(const Field& field) {
  static const ServerFlags& defaults = *new ServerFlags;
  return std::visit([](auto member) { return str_cat(defaults.*member); }, field);
}

}  // namespace

ServerFlags parse_flags(std::span<const std::string> arguments, std::vector<std::string>* ignored) {
  ServerFlags flags;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    const std::size_t equals = argument.find('=');
    const std::string name = argument.substr(0, equals);
    const auto flag =
        std::ranges::find(kFlags, name, [](const Flag& f) { return std::string("--") + f.name; });
    const bool is_ignored = std::ranges::any_of(
        kIgnored, [&](const char* known) { return name == std::string("--") + known; });
    require(flag != std::end(kFlags) || is_ignored, "unknown argument: ", argument);
    if (is_ignored) {
      ignored->push_back(name);
      const bool has_value_apart = equals == std::string::npos && i + 1 < arguments.size() &&
                                   !arguments[i + 1].starts_with("--");
      if (has_value_apart) ++i;
      continue;
    }
    std::string value = equals == std::string::npos ? "true" : argument.substr(equals + 1);
    const bool is_bool = std::holds_alternative<bool ServerFlags::*>(flag->field);
    if (equals == std::string::npos && !is_bool) {
      require(i + 1 < arguments.size(), name, " needs a value");
      value = arguments[++i];
    }
    std::visit([&](auto field) { set(field, *flag, value, &flags); }, flag->field);
  }
  return flags;
}

std::string flags_usage() {
  std::string text;
  for (const Flag& flag : kFlags)
    text += str_cat("  --", flag.name, "=", text_of(flag.field), "\n      ", flag.meaning, "\n");
  return text;
}

}  // namespace rill::serve
