#pragma once

#include <cstdint>
#include <vector>

#include "rill/serve/batch/batching.h"

namespace rill::serve {

// A request, or a part of one, that waits to be run with others.
struct BatchTask {
  std::vector<Tensor> feeds;
  std::int64_t rows = 0;
  RequestLimits limits;
  TensorsDone done;
  bool is_part = false;          // of a request that was cut
  std::int64_t since_nanos = 0;  // when it began to wait
};

// How many rows a request has: what all its feeds have as their first dimension. Throws
// InvalidArgument when they do not.
std::int64_t batch_rows(const std::vector<Tensor>& feeds);

// The bytes that a request holds while it waits, strings without what they hold.
std::int64_t batch_bytes(const std::vector<Tensor>& feeds);

// Cuts a request into parts of these rows, which together are its own. The last part that is done
// answers it: with all outputs one below the other, or with the first error.
std::vector<BatchTask> split_task(BatchTask task, const std::vector<std::int64_t>& rows);

// Runs the tasks in as few steps as their types and shapes allow, and answers each. Does not throw.
void run_batch(const CompiledStep& step, std::vector<BatchTask> tasks,
               const BatchingOptions& options);

}  // namespace rill::serve
