#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "rill/serve/metrics/metrics.h"
#include "rill/serve/model/model.h"

namespace tensorflow::serving {
class BatchingParameters;
}

namespace rill::serve {

// What was done, of all models that share threads.
struct BatchingCounts {
  std::atomic<std::int64_t> tasks = 0;    // requests that were taken in, parts of large ones too
  std::atomic<std::int64_t> steps = 0;    // that were run for them
  std::atomic<std::int64_t> rows = 0;     // in these steps, without those that fill up
  std::atomic<std::int64_t> filled = 0;   // rows that only fill a batch up
  std::atomic<std::int64_t> refused = 0;  // requests for which there was no room
  std::atomic<std::int64_t> dropped = 0;  // whose time was over, or whose client had left
};

// How requests are joined.
struct BatchingOptions {
  // Nobody said how: a free thread takes what has come together meanwhile, so that batches grow
  // with the load and nobody waits for others; how large they may become is learned from what steps
  // cost; larger requests run alone.
  bool is_self_tuning = false;
  std::int64_t max_batch_size = 1000;     // rows of a request, and of a batch unless they are split
  std::int64_t batch_timeout_micros = 0;  // how long the first request of a batch waits for others
  std::int64_t max_enqueued_batches = 10;  // of each kind of step; more are refused
  std::int64_t num_batch_threads = 0;      // of all models together; 0: as many as there are cores
  std::string thread_pool_name = "model_server_batch_threads";  // as debuggers show its beginning
  std::vector<std::int64_t> allowed_batch_sizes;  // batches are filled up to one of these
  bool pad_variable_length_inputs = false;
  // Requests of up to max_batch_size rows are cut to fill batches of max_execution_batch_size.
  bool enable_large_batch_splitting = false;
  std::int64_t max_execution_batch_size = 0;               // 0: max_batch_size
  std::int64_t max_waiting_bytes = std::int64_t{1} << 30;  // of all requests that wait
  std::shared_ptr<BatchingCounts> counts;                  // may be empty
  std::shared_ptr<Metrics> metrics;  // where batches are counted; may be empty
  BatchMetrics* of_model = nullptr;  // those of the model, once that is known

  std::int64_t rows_of_a_step() const {
    return enable_large_batch_splitting && max_execution_batch_size > 0 ? max_execution_batch_size
                                                                        : max_batch_size;
  }
};

// From a file of TensorFlow Serving's BatchingParameters; without one what suits itself. Throws
// InvalidArgument for what makes no sense.
BatchingOptions batching_options(const std::string& parameters_file);
BatchingOptions batching_options(const tensorflow::serving::BatchingParameters& parameters);
// What the file batching_params.pbtxt in the directory of a version says, if there is one, instead
// of `shared`; threads are shared all the same.
BatchingOptions batching_options_of(const std::string& version_directory,
                                    const BatchingOptions& shared);
void check(const BatchingOptions& options);

// Makes the runners of models, which share threads.
std::function<std::unique_ptr<StepRunner>(const ServableId&)> batching_runners(
    const BatchingOptions& options);
// The same, where each version may bring parameters of its own.
std::function<std::unique_ptr<StepRunner>(const ServableId&, const std::string& version_directory)>
batching_runners_by_version(const BatchingOptions& shared);

}  // namespace rill::serve
