#include "rill/api/estimator/input/numpy_input.h"

#include <algorithm>

#include "rill/base/error.h"
#include "rill/base/text.h"
#include "rill/graph/whole_number.h"

namespace rill::estimator::inputs {
namespace {

void sort_by_name(Columns& columns) { std::ranges::sort(columns, {}, &Columns::value_type::first); }

std::string shapes_text(const Columns& columns) {
  std::vector<std::string> parts;
  for (const auto& [name, column] : columns) parts.push_back(str_cat(name, ": ", column.shape()));
  return str_cat("{", join(parts, ", "), "}");
}

void check_columns(const Columns& x, const Columns& y) {
  require(!x.empty(), "x cannot be an empty dict");
  for (const Columns* columns : {&x, &y})
    for (const auto& [name, column] : *columns)
      require(column.rank() > 0, "\"", name, "\" has no rows: it is a scalar.");
  require(x[0].second.element_count() > 0 || x[0].second.dim(0) > 0, "x cannot be an empty array");
  std::vector<std::string> twice;
  for (const auto& [name, column] : y)
    if (!name.empty() && std::ranges::find(x, name, &Columns::value_type::first) != x.end())
      twice.push_back(str_cat("'", name, "'"));
  require(twice.empty(), twice.size(), " duplicate keys are found in both x and y: {",
          join(twice, ", "), "}");
  const std::int64_t rows = x[0].second.dim(0);
  const auto as_long = [&](const auto& column) { return column.second.dim(0) == rows; };
  require(std::ranges::all_of(x, as_long) && std::ranges::all_of(y, as_long),
          "Length of tensors in x and y is mismatched. All elements in x and y must have the same "
          "length.\nShapes in x: ",
          shapes_text(x), "\nShapes in y: ", shapes_text(y), "\n");
}

}  // namespace

std::vector<Output> row_batch(const Columns& x, const Columns& y, RowBatchOptions options,
                              std::source_location at) {
  check_columns(x, y);
  Columns all = x;
  all.insert(all.end(), y.begin(), y.end());
  options.data.enqueue_size = options.batch_size;
  const MadeAt place(at);
  queue::QueueBase queue = enqueue_data(all, options.queue_capacity, options.data);
  const Input batch = whole_number(options.batch_size);
  std::vector<Output> parts =
      options.data.num_epochs ? queue.dequeue_up_to(batch) : queue.dequeue_many(batch);
  parts.erase(parts.begin());  // what tells rows apart
  return parts;
}

InputFn numpy_input_fn(Columns x, Columns y, const NumpyInputOptions& options,
                       std::source_location at) {
  require(options.shuffle.has_value(),
          "shuffle must be provided and explicitly set as boolean (it is recommended to set it as "
          "True for training); got None");
  sort_by_name(x);
  sort_by_name(y);
  const RowBatchOptions how{.batch_size = options.batch_size,
                            .queue_capacity = options.queue_capacity,
                            .data = {.shuffle = *options.shuffle,
                                     .num_threads = options.num_threads,
                                     .num_epochs = options.num_epochs}};
  return [=](Mode, const RunConfig&) -> InputValues {
    const std::vector<Output> parts = row_batch(x, y, how, at);
    InputBatch batch;
    for (std::size_t i = 0; i < parts.size(); ++i)
      if (i < x.size())
        batch.features.emplace(x[i].first, parts[i]);
      else
        batch.labels.emplace(y[i - x.size()].first, parts[i]);
    return batch;
  };
}

}  // namespace rill::estimator::inputs
