#include "rill/serve/batch/batching.h"
#include "rill/serve/config_file.h"
#include "tensorflow_serving/servables/tensorflow/session_bundle_config.pb.h"

namespace rill::serve {

void check(const BatchingOptions& options) {
  require(options.max_batch_size > 0, "max_batch_size must be positive; was ",
          options.max_batch_size);
  require(options.batch_timeout_micros >= 0, "batch_timeout_micros must be non-negative; was ",
          options.batch_timeout_micros);
  require(options.max_enqueued_batches >= 0, "max_enqueued_batches must be non-negative; was ",
          options.max_enqueued_batches);
  require(options.num_batch_threads >= 0 && options.num_batch_threads <= 4096,
          "num_batch_threads must be positive and at most 4096; was ", options.num_batch_threads);
  std::int64_t last = 0;
  for (const std::int64_t size : options.allowed_batch_sizes) {
    require(size > last, "allowed_batch_sizes entries must be monotonically increasing");
    last = size;
  }
  require(last == 0 || last == options.max_batch_size,
          "last entry in allowed_batch_sizes must match max_batch_size; last entry was ", last,
          "; expected ", options.max_batch_size);
}

BatchingOptions batching_options(const std::string& parameters_file) {
  if (parameters_file.empty()) {
    BatchingOptions options;
    options.max_enqueued_batches = 100;
    return options;
  }
  tensorflow::serving::BatchingParameters given;
  read_text_config(parameters_file, &given);
  return batching_options(given);
}

BatchingOptions batching_options(const tensorflow::serving::BatchingParameters& given) {
  BatchingOptions options;
  if (given.has_max_batch_size()) options.max_batch_size = given.max_batch_size().value();
  if (given.has_batch_timeout_micros())
    options.batch_timeout_micros = given.batch_timeout_micros().value();
  if (given.has_max_enqueued_batches())
    options.max_enqueued_batches = given.max_enqueued_batches().value();
  if (given.has_num_batch_threads()) options.num_batch_threads = given.num_batch_threads().value();
  options.allowed_batch_sizes = {given.allowed_batch_sizes().begin(),
                                 given.allowed_batch_sizes().end()};
  options.pad_variable_length_inputs = given.pad_variable_length_inputs();
  if (given.enable_large_batch_splitting().value())
    raise(Code::kUnimplemented, "enable_large_batch_splitting");
  check(options);
  return options;
}

}  // namespace rill::serve
