#include "rill/serve/batch/batch.h"

#include <algorithm>

#include "rill/base/clock.h"
#include "rill/serve/model/step_watch.h"

namespace rill::serve {
namespace {

using Tasks = std::vector<BatchTask>;

// Whether two tensors may become one: of one type, and alike but for their first dimension; where
// they are filled up the sizes of the others may differ as well.
bool fit(const Tensor& a, const Tensor& b, bool pad) {
  if (a.dtype() != b.dtype() || a.rank() != b.rank()) return false;
  return pad || std::ranges::equal(a.shape().dims().subspan(1), b.shape().dims().subspan(1));
}
bool fit(const BatchTask& a, const BatchTask& b, bool pad) {
  // Parts of one request must come out with one shape, so they are not filled up.
  if (pad && a.is_part != b.is_part) return false;
  pad = pad && !a.is_part;
  for (std::size_t i = 0; i < a.feeds.size(); ++i)
    if (!fit(a.feeds[i], b.feeds[i], pad)) return false;
  return true;
}

std::int64_t padded_rows(std::int64_t rows, const BatchingOptions& options) {
  for (const std::int64_t size : options.allowed_batch_sizes)
    if (size >= rows) return size;
  return rows;
}

char* element_at(const Tensor& tensor, std::int64_t element) {
  return static_cast<char*>(tensor.raw_data()) +
         static_cast<std::size_t>(element) * element_size(tensor.dtype());
}

// Copies `from`, all of whose dimensions are at most those of `to`, to the beginning of `to`; the
// rest of `to` is filled with the first element of `from`.
void copy_padded(const Tensor& from, const Tensor& to, std::int64_t to_element) {
  const auto from_dims = from.shape().dims();
  const auto to_dims = to.shape().dims();
  std::int64_t row = 1;  // elements of `to` in one of its rows
  for (std::size_t i = 1; i < to_dims.size(); ++i) row *= to_dims[i];
  const std::int64_t total = from_dims[0] * row;
  if (from.element_count() == total)
    return copy_elements(from.dtype(), element_at(to, to_element), element_at(from, 0),
                         static_cast<std::size_t>(total));
  // An empty tensor has no first element; zeros stand for it.
  const Tensor filler = from.element_count() > 0 ? from : Tensor::zeros(from.dtype(), Shape({1}));
  for (std::int64_t i = 0; i < total; ++i)
    copy_elements(from.dtype(), element_at(to, to_element + i), element_at(filler, 0), 1);
  const std::int64_t line = from_dims.back();
  const std::int64_t lines = line == 0 ? 0 : from.element_count() / line;
  for (std::int64_t index = 0; index < lines; ++index) {
    std::int64_t rest = index, place = 0, stride = to_dims.back();
    for (std::size_t d = from_dims.size() - 1; d-- > 0;) {
      place += rest % from_dims[d] * stride;
      rest /= from_dims[d];
      stride *= to_dims[d];
    }
    copy_elements(from.dtype(), element_at(to, to_element + place), element_at(from, index * line),
                  static_cast<std::size_t>(line));
  }
}

// The tensors of one input, one below the other, with copies of the first row of the last task.
Tensor joined(const Tasks& tasks, std::size_t input, std::int64_t rows) {
  const Tensor& first = tasks[0].feeds[input];
  if (tasks.size() == 1 && first.dim(0) == rows) return first;
  std::vector<std::int64_t> dims(first.shape().dims().begin(), first.shape().dims().end());
  for (const BatchTask& task : tasks)
    for (std::size_t d = 1; d < dims.size(); ++d)
      dims[d] = std::max(dims[d], task.feeds[input].shape().dims()[d]);
  dims[0] = rows;
  Tensor whole(first.dtype(), Shape(std::span<const std::int64_t>(dims)));
  const std::int64_t row = rows == 0 ? 0 : whole.element_count() / rows;
  std::int64_t done = 0;
  for (const BatchTask& task : tasks) {
    copy_padded(task.feeds[input], whole, done * row);
    done += task.rows;
  }
  for (; done < rows; ++done) copy_padded(tasks.back().feeds[input].slice(0, 1), whole, done * row);
  return whole;
}

// A step may take as long as the most patient of its requests.
std::int64_t timeout_ms(const Tasks& tasks) {
  std::int64_t latest = 0;
  for (const BatchTask& task : tasks) {
    if (task.limits.deadline_nanos == 0) return 0;
    latest = std::max(latest, task.limits.deadline_nanos);
  }
  return std::max<std::int64_t>(1, (latest - monotonic_nanos()) / 1'000'000);
}

void check_output(const Tensor& output, std::int64_t rows) {
  if (output.rank() == 0)
    raise(Code::kFailedPrecondition, "Batched output tensor has 0 dimensions");
  if (output.dim(0) != rows)
    raise(
        Code::kFailedPrecondition,
        "Batched output tensor's 0th dimension does not equal the sum of the 0th dimension sizes ",
        "of the input tensors");
}

// One step for all; the tasks fit each other.
void run_group(const CompiledStep& step, Tasks tasks, const BatchingOptions& options) {
  std::vector<Tensor> outputs;
  std::optional<Error> error;
  try {
    std::int64_t own = 0;
    for (const BatchTask& task : tasks) own += task.rows;
    const std::int64_t rows = padded_rows(own, options);
    if (options.counts != nullptr) {
      ++options.counts->steps;
      options.counts->rows += own;
      options.counts->filled += rows - own;
    }
    if (options.of_model != nullptr) {
      options.of_model->batches.add();
      options.of_model->rows.add(own);
      options.of_model->padding.add(rows - own);
    }
    std::vector<Tensor> feeds;
    for (std::size_t i = 0; i < tasks[0].feeds.size(); ++i) feeds.push_back(joined(tasks, i, rows));
    StepWatch::shared().run(
        [&] {
          return std::ranges::all_of(
              tasks, [](const BatchTask& task) { return is_unwanted(task.limits); });
        },
        [&] { outputs = run_step(step, feeds, timeout_ms(tasks)); });
    for (const Tensor& output : outputs) check_output(output, rows);
  } catch (...) {
    error = current_error();
  }
  std::int64_t done = 0;
  for (BatchTask& task : tasks) {
    std::vector<Tensor> own;
    if (!error)
      for (const Tensor& output : outputs) own.push_back(output.slice(done, done + task.rows));
    done += task.rows;
    task.done(std::move(own), error);
  }
}

// Requests that nobody waits for any more are answered without being run.
void drop_expired(Tasks& tasks, const BatchingOptions& options) {
  std::erase_if(tasks, [&](BatchTask& task) {
    try {
      task.limits.timeout_ms();
      return false;
    } catch (const Error& error) {
      if (options.counts != nullptr) ++options.counts->dropped;
      task.done({}, error.code() == Code::kDeadlineExceeded
                        ? Error(Code::kResourceExhausted,
                                "Run() timeout exceeded while waiting in batching queue")
                        : error);
      return true;
    }
  });
}

}  // namespace

std::int64_t batch_rows(const std::vector<Tensor>& feeds) {
  for (const Tensor& feed : feeds) {
    require(feed.rank() > 0, "Batching input tensors must have at least one dimension");
    require(feed.dim(0) == feeds[0].dim(0),
            "Batching session Run() input tensors must have equal 0th-dimension size");
  }
  return feeds.empty() ? 0 : feeds[0].dim(0);
}

std::int64_t batch_bytes(const std::vector<Tensor>& feeds) {
  std::size_t bytes = 0;
  for (const Tensor& feed : feeds) bytes += feed.byte_size();
  return static_cast<std::int64_t>(bytes);
}

void run_batch(const CompiledStep& step, Tasks tasks, const BatchingOptions& options) {
  drop_expired(tasks, options);
  while (!tasks.empty()) {
    const auto fits = [&](const BatchTask& task) {
      return fit(tasks.front(), task, options.pad_variable_length_inputs);
    };
    if (std::all_of(tasks.begin() + 1, tasks.end(), fits))
      return run_group(step, std::move(tasks), options);
    const auto others = std::stable_partition(tasks.begin() + 1, tasks.end(), fits);
    Tasks rest(std::make_move_iterator(others), std::make_move_iterator(tasks.end()));
    tasks.erase(others, tasks.end());
    run_group(step, std::exchange(tasks, std::move(rest)), options);
  }
}

}  // namespace rill::serve
