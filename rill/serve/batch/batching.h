#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "rill/serve/model/model.h"

namespace tensorflow::serving {
class BatchingParameters;
}

namespace rill::serve {

// How requests are joined. What is not said suits itself: a free thread takes what has come
// together meanwhile, so that batches grow with the load and nobody waits for others.
struct BatchingOptions {
  std::int64_t max_batch_size = 1000;
  std::int64_t batch_timeout_micros = 0;   // how long the first request of a batch waits for others
  std::int64_t max_enqueued_batches = 10;  // of each kind of step; more are refused
  std::int64_t num_batch_threads = 0;      // of all models together; 0: as many as there are cores
  std::vector<std::int64_t> allowed_batch_sizes;  // batches are filled up to one of these
  bool pad_variable_length_inputs = false;
};

// From a file of TensorFlow Serving's BatchingParameters; without one what suits itself. Throws
// InvalidArgument for what makes no sense.
BatchingOptions batching_options(const std::string& parameters_file);
BatchingOptions batching_options(const tensorflow::serving::BatchingParameters& parameters);
void check(const BatchingOptions& options);

// Makes the runners of models, which share threads.
std::function<std::unique_ptr<StepRunner>(const ServableId&)> batching_runners(
    const BatchingOptions& options);

}  // namespace rill::serve
