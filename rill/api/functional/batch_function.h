#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "rill/api/core/default_graph.h"

namespace rill {

struct BatchFunctionOptions {
  std::vector<std::int64_t> allowed_batch_sizes = {};  // sizes that batches are padded to
  std::int64_t max_enqueued_batches = 10;
};
// `fn`, whose calls by several steps at once become one call with their rows together: at most
// max_batch_size rows, after batch_timeout_micros at the latest. No gradient.
//
//   auto score = tf::nondifferentiable_batch_function(1, 32, 2000, network);
//   Output y = score({x})[0];
using BatchedFunction = std::function<std::vector<Output>(const std::vector<Output>&)>;
BatchedFunction nondifferentiable_batch_function(std::int64_t num_batch_threads,
                                                 std::int64_t max_batch_size,
                                                 std::int64_t batch_timeout_micros,
                                                 BatchedFunction fn,
                                                 const BatchFunctionOptions& options = {});

}  // namespace rill
