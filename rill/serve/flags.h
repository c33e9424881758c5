#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace rill::serve {

// The command line of TensorFlow Serving's server, with a few flags of our own.
struct ServerFlags {
  std::string bind_address = "127.0.0.1";
  std::int64_t port = 8500;
  std::string grpc_socket_path, rest_api_socket_path, socket_users;
  std::string grpc_channel_arguments;
  std::int64_t grpc_max_threads = 0;
  std::int64_t rest_api_port = 0;
  std::int64_t rest_api_num_threads = 0;
  std::int64_t rest_api_timeout_in_ms = 30'000;
  bool rest_api_enable_cors_support = false;
  std::string json_nonfinite = "literal";
  std::int64_t rest_api_max_connections = 4096;
  std::int64_t max_request_bytes = std::int64_t{1} << 30;
  std::int64_t max_running_steps = 0;
  std::int64_t max_queued_requests = 4096;
  std::int64_t max_queued_requests_per_model = 1024;
  std::int64_t max_queue_wait_ms = 200;
  bool enable_batching = false;
  std::string batching_parameters_file;
  bool enable_per_model_batching_parameters = false;
  std::string model_config_file;
  std::int64_t model_config_file_poll_wait_seconds = 0;
  std::string model_name = "default";
  std::string model_base_path;
  bool allow_version_labels_for_unavailable_models = false;
  bool require_all_models = false;
  std::int64_t max_num_load_retries = 5;
  std::int64_t load_retry_interval_micros = 60'000'000;
  std::int64_t num_load_threads = 0;
  std::int64_t file_system_poll_wait_seconds = 1;
  std::int64_t tensorflow_session_parallelism = 0;
  std::int64_t tensorflow_intra_op_parallelism = 0;
  std::int64_t tensorflow_inter_op_parallelism = 0;
  std::string ssl_config_file;
  bool use_alts_credentials = false;
  std::string auth_token_file;
  std::string monitoring_config_file;
  std::string log_format = "text", log_level, access_log;
  std::string trace_file, trace_endpoint, trace_sampling = "0";
  bool enable_debug_endpoints = false;
  bool enable_profiler = false;
  bool enable_session_service = false;
  std::string serving_options_file, serving_options;
  std::string tensorflow_session_config_file;
  std::int64_t num_unload_threads = 0;
  std::string saved_model_tags = "serve";
  std::string allowed_ops;
  std::string platform_config_file;
  std::string custom_ops_library;
  bool enable_model_warmup = true;
  std::int64_t num_request_iterations_for_warmup = 0;
  bool resource_preserving = false;
  std::int64_t shutdown_grace_ms = 10'000;
  bool version = false;
};

// Reads "--name=value", "--name value" and, for those that are true or false, "--name". Throws
// InvalidArgument naming an argument that is none of the flags, or a value that is none of its
// values. `ignored` gets the flags that have no effect here.
ServerFlags parse_flags(std::span<const std::string> arguments, std::vector<std::string>* ignored);
// A line for each flag.
std::string flags_usage();

}  // namespace rill::serve
