#include <algorithm>

#include "rill/base/files.h"
#include "rill/base/log.h"
#include "rill/serve/batch/batching.h"
#include "rill/serve/config/config_file.h"
#include "tensorflow_serving/servables/tensorflow/session_bundle_config.pb.h"

namespace rill::serve {
namespace {

// Later parameters of TensorFlow Serving, whose requests have no priorities here.
constexpr std::string_view kIgnored[] = {"mixed_priority_batching_policy",
                                         "low_priority_max_batch_size",
                                         "low_priority_batch_timeout_micros",
                                         "low_priority_max_enqueued_batches",
                                         "low_priority_allowed_batch_sizes",
                                         "full_batch_scheduling",
                                         "batch_padding_policy",
                                         "enable_priority_aware_scheduler"};

// The text without those parameters, each of which stands at the beginning of a line.
std::string without_ignored(const std::string& text, const std::string& path) {
  std::string rest;
  bool in_message = false;  // of one that is ignored
  for (const std::string_view line : split(text, '\n')) {
    const std::string_view stripped = strip(line);
    const std::string_view name = stripped.substr(0, stripped.find_first_of(" :{\t"));
    if (in_message) {
      in_message = stripped.find('}') == std::string_view::npos;
    } else if (std::ranges::find(kIgnored, name) != std::end(kIgnored)) {
      log(LogLevel::kWarning, path, ": ", name, " has no effect here");
      in_message = stripped.find('{') != std::string_view::npos &&
                   stripped.find('}') == std::string_view::npos;
    } else {
      rest.append(line);
    }
    rest += '\n';  // lines keep their numbers
  }
  return rest;
}

tensorflow::serving::BatchingParameters read_parameters(const std::string& path) {
  tensorflow::serving::BatchingParameters parameters;
  parse_text_config(without_ignored(read_file(path), path), path, &parameters);
  return parameters;
}

}  // namespace

void check(const BatchingOptions& options) {
  require(options.max_batch_size > 0, "max_batch_size must be positive; was ",
          options.max_batch_size);
  require(options.batch_timeout_micros >= 0, "batch_timeout_micros must be non-negative; was ",
          options.batch_timeout_micros);
  require(options.max_enqueued_batches >= 0, "max_enqueued_batches must be non-negative; was ",
          options.max_enqueued_batches);
  require(options.num_batch_threads >= 0 && options.num_batch_threads <= 4096,
          "num_batch_threads must be positive and at most 4096; was ", options.num_batch_threads);
  require(options.max_execution_batch_size >= 0, "max_execution_batch_size must be positive; was ",
          options.max_execution_batch_size);
  require(
      options.rows_of_a_step() <= options.max_batch_size,
      "When enable_large_batch_splitting is true, max_batch_size must be greater than or equal ",
      "to max_execution_batch_size; they were ", options.max_batch_size, " and ",
      options.max_execution_batch_size);
  std::int64_t last = 0;
  for (const std::int64_t size : options.allowed_batch_sizes) {
    require(size > last, "allowed_batch_sizes entries must be monotonically increasing");
    last = size;
  }
  require(last == 0 || last == options.rows_of_a_step(),
          "last entry in allowed_batch_sizes must match ",
          options.enable_large_batch_splitting ? "max_execution_batch_size" : "max_batch_size",
          "; last entry was ", last, "; expected ", options.rows_of_a_step());
}

BatchingOptions batching_options(const std::string& parameters_file) {
  if (!parameters_file.empty()) return batching_options(read_parameters(parameters_file));
  BatchingOptions options;
  options.is_self_tuning = true;
  return options;
}

BatchingOptions batching_options(const tensorflow::serving::BatchingParameters& given) {
  BatchingOptions options;
  if (given.has_max_batch_size()) options.max_batch_size = given.max_batch_size().value();
  if (given.has_batch_timeout_micros())
    options.batch_timeout_micros = given.batch_timeout_micros().value();
  if (given.has_max_enqueued_batches())
    options.max_enqueued_batches = given.max_enqueued_batches().value();
  if (given.has_num_batch_threads()) {
    options.num_batch_threads = given.num_batch_threads().value();
    require(options.num_batch_threads > 0, "num_batch_threads must be positive; was ",
            options.num_batch_threads);
  }
  options.thread_pool_name =
      given.has_thread_pool_name() ? given.thread_pool_name().value() : "batch_threads";
  options.allowed_batch_sizes = {given.allowed_batch_sizes().begin(),
                                 given.allowed_batch_sizes().end()};
  options.pad_variable_length_inputs = given.pad_variable_length_inputs();
  options.enable_large_batch_splitting = given.enable_large_batch_splitting().value();
  options.max_execution_batch_size = given.max_execution_batch_size().value();
  check(options);
  return options;
}

BatchingOptions batching_options_of(const std::string& version_directory,
                                    const BatchingOptions& shared) {
  const std::string path = join_path(version_directory, "batching_params.pbtxt");
  if (!file_exists(path)) return shared;
  const auto given = read_parameters(path);
  if (given.has_num_batch_threads() || given.has_thread_pool_name())
    log(LogLevel::kWarning, path, ": num_batch_threads and thread_pool_name have no effect here; ",
        "all models share the threads of the server");
  BatchingOptions own = batching_options(given);
  own.num_batch_threads = shared.num_batch_threads;
  own.thread_pool_name = shared.thread_pool_name;
  own.max_waiting_bytes = shared.max_waiting_bytes;
  own.counts = shared.counts;
  own.metrics = shared.metrics;
  return own;
}

}  // namespace rill::serve
