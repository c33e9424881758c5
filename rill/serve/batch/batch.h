#pragma once

#include <cstdint>
#include <vector>

#include "rill/serve/batch/batching.h"

namespace rill::serve {

// A request that waits to be run with others.
struct BatchTask {
  std::vector<Tensor> feeds;
  std::int64_t rows = 0;
  RequestLimits limits;
  TensorsDone done;
};

// How many rows a request has: what all its feeds have as their first dimension. Throws
// InvalidArgument when they do not.
std::int64_t batch_rows(const std::vector<Tensor>& feeds);

// Runs the tasks in as few steps as their types and shapes allow, and answers each. Does not throw.
void run_batch(const Step& step, std::vector<BatchTask> tasks, const BatchingOptions& options);

}  // namespace rill::serve
