#pragma once

#include <concepts>

#include "rill/api/estimator/input/enqueue_data.h"
#include "rill/api/estimator/input/model.h"

namespace rill::estimator::inputs {

struct NumpyInputOptions {
  std::int64_t batch_size = 128;
  std::optional<std::int64_t> num_epochs = 1;  // none: without end
  std::optional<bool> shuffle = {};            // must be said
  std::int64_t queue_capacity = 1000;
  int num_threads = 1;
};

// Batches of the rows of arrays, which queue runners feed: features `x`, labels `y`, by name; a
// lone array has the name "". Throws InvalidArgument where the arrays are not of one length, or a
// name comes twice; where `shuffle` is not said, at once, else when the function is called.
//
//   auto input = tf::estimator::inputs::numpy_input_fn({{"x", images}}, {{"", classes}},
//                                                      {.batch_size = 32, .shuffle = true});
InputFn numpy_input_fn(Columns x, Columns y = {}, const NumpyInputOptions& options = {},
                       std::source_location at = std::source_location::current());
// The same with one array of labels; {} means none.
template <std::same_as<Tensor> Labels>
InputFn numpy_input_fn(Columns x, const Labels& y, const NumpyInputOptions& options = {},
                       std::source_location at = std::source_location::current()) {
  return numpy_input_fn(std::move(x), Columns{{"", y}}, options, at);
}

// What such a function makes: the columns of `x`, then those of `y`, in that order. `data` says how
// they are enqueued.
struct RowBatchOptions {
  std::int64_t batch_size = 128;
  std::int64_t queue_capacity = 1000;
  EnqueueDataOptions data = {};
};
std::vector<Output> row_batch(const Columns& x, const Columns& y, RowBatchOptions options,
                              std::source_location at = std::source_location::current());

}  // namespace rill::estimator::inputs
