#include "rill/api/estimator/input/enqueue_data.h"

#include <numeric>
#include <random>

#include "rill/api/core/basic_ops.h"
#include "rill/api/gen/math.h"
#include "rill/api/input/input_producers.h"
#include "rill/api/logging/tf_logging.h"
#include "rill/api/math/operators.h"
#include "rill/base/text.h"

namespace rill::estimator::inputs {
namespace {

Tensor row_numbers(std::int64_t count) {
  Tensor numbers(DType::i64, {count});
  std::iota(numbers.data<std::int64_t>(), numbers.data<std::int64_t>() + count, 0);
  return numbers;
}

std::int64_t random_row(std::int64_t count, std::optional<std::int64_t> seed) {
  std::mt19937_64 random(seed ? static_cast<std::uint64_t>(*seed) : std::random_device()());
  return std::uniform_int_distribution<std::int64_t>(0, count - 1)(random);
}

Shape row_shape(const Tensor& column) { return column.shape().without_dim(0); }

void warn_of_threads(const EnqueueDataOptions& options) {
  if (options.num_threads <= 1) return;
  if (options.num_epochs)
    logging::warning(
        "enqueue_data was called with num_epochs and num_threads > 1. num_epochs is applied per "
        "thread, so this will produce more epochs than you probably intend. If you want to limit "
        "epochs, use one thread.");
  if (!options.shuffle)
    logging::warning(
        "enqueue_data was called with shuffle=False and num_threads > 1: several threads read the "
        "rows in order, so that they come out in no order. Use one thread, or shuffle.");
}

queue::QueueBase make_queue(std::int64_t capacity, std::int64_t min_after_dequeue,
                            const std::vector<Tensor>& columns, const EnqueueDataOptions& options) {
  std::vector<DType> types;
  std::vector<PartialShape> shapes;
  for (const Tensor& column : columns) {
    types.push_back(column.dtype());
    shapes.push_back(PartialShape(row_shape(column)));
  }
  if (!options.shuffle) return queue::FIFOQueue(capacity, types, {.shapes = shapes});
  queue::RandomShuffleQueueOptions shuffled{.seed = options.seed};
  shuffled.shapes = shapes;
  return queue::RandomShuffleQueue(capacity, min_after_dequeue, types, shuffled);
}

// One operation that fills the queue, and what it is fed.
std::pair<Node*, FeedingQueueRunner::FeedFn> add_reader(queue::QueueBase& queue,
                                                        const Columns& columns,
                                                        const EnqueueDataOptions& options,
                                                        int thread) {
  std::vector<Output> placeholders;
  std::vector<Input> values;
  for (const DType type : queue.dtypes()) {
    placeholders.push_back(placeholder(type));
    values.push_back(placeholders.back());
  }
  Node& enqueue = queue.enqueue_many(values);
  const auto seed = options.seed ? std::optional((thread + 1) * *options.seed) : std::nullopt;
  auto reader = std::make_shared<RowReader>(options.labels, columns,
                                            RowReaderOptions{.batch_size = options.enqueue_size,
                                                             .random_start = options.shuffle,
                                                             .seed = seed,
                                                             .num_epochs = options.num_epochs});
  return {&enqueue, [reader, placeholders] {
            std::vector<Tensor> rows = reader->next();
            std::vector<Feed> feeds;
            for (std::size_t i = 0; i < rows.size(); ++i)
              feeds.push_back({placeholders[i], std::move(rows[i])});
            return feeds;
          }};
}

void add_fullness(queue::QueueBase& queue, std::int64_t least, std::int64_t capacity) {
  const Output over =
      raw::Maximum(0, operators::sub(queue.size(), least, std::source_location::current()));
  train::add_fullness_summary(
      str_cat("queue/", queue.name(), "fraction_over_", least, "_of_", capacity - least, "_full"),
      over, static_cast<double>(capacity - least));
}

}  // namespace

void FeedingQueueRunner::enqueue(Session& session, std::size_t op) {
  const std::vector<Feed> feeds = next_feeds(op);
  Node* const target = &enqueue_ops()[op].node();
  session.run(feeds, {}, std::span(&target, 1));
}

RowReader::RowReader(const Tensor& labels, const Columns& columns, const RowReaderOptions& options)
    : columns_{labels}, options_(options), total_(labels.dim(0)) {
  for (const auto& [name, column] : columns) {
    require(column.dim(0) == total_, "Array lengths must match.");
    columns_.push_back(column);
  }
  require(total_ > 0, "There are no rows to read.");
  require(options.batch_size > 0, "Rows are read ", options.batch_size, " at a time.");
  if (options.random_start) position_ = random_row(total_, options.seed);
  if (options.num_epochs) left_ = Shape({*options.num_epochs, total_}).element_count();
}

Tensor RowReader::rows(const Tensor& column, std::int64_t count) const {
  if (position_ + count <= total_) return column.slice(position_, position_ + count);
  Tensor together(column.dtype(), column.shape().with_dim(0, count));
  const auto row = static_cast<std::size_t>(row_shape(column).element_count());
  const std::size_t step = row * element_size(column.dtype());
  auto* to = static_cast<char*>(together.raw_data());
  const auto* from = static_cast<const char*>(column.raw_data());
  for (std::int64_t done = 0, at = position_; done < count;) {
    const std::int64_t part = std::min(count - done, total_ - at);
    copy_elements(column.dtype(), to + static_cast<std::size_t>(done) * step,
                  from + static_cast<std::size_t>(at) * step, static_cast<std::size_t>(part) * row);
    done += part;
    at = 0;
  }
  return together;
}

std::vector<Tensor> RowReader::next() {
  if (left_ && *left_ <= 0)
    raise(Code::kOutOfRange, "Already emitted ", *options_.num_epochs, " epochs.");
  const std::int64_t count = left_ ? std::min(options_.batch_size, *left_) : options_.batch_size;
  std::vector<Tensor> batch;
  for (const Tensor& column : columns_) batch.push_back(rows(column, count));
  position_ = (position_ + count) % total_;
  if (left_) *left_ -= count;
  return batch;
}

queue::QueueBase enqueue_data(const Columns& columns, std::int64_t capacity,
                              const EnqueueDataOptions& given, std::source_location at) {
  require(!columns.empty(), "There is nothing to enqueue.");
  EnqueueDataOptions options = given;
  if (!options.labels.has_value()) options.labels = row_numbers(columns[0].second.dim(0));
  const Block in(options.name, "enqueue_input", at);
  warn_of_threads(options);
  const std::int64_t least = options.shuffle ? options.min_after_dequeue.value_or(capacity / 4) : 0;
  std::vector<Tensor> all{options.labels};
  for (const auto& [name, column] : columns) all.push_back(column);
  queue::QueueBase queue = make_queue(capacity, least, all, options);
  std::vector<train::Runnable> operations;
  std::vector<FeedingQueueRunner::FeedFn> feed_fns;
  for (int thread = 0; thread < options.num_threads; ++thread) {
    auto [operation, feed] = add_reader(queue, columns, options, thread);
    operations.push_back(*operation);
    feed_fns.push_back(std::move(feed));
  }
  train::add_queue_runner(
      std::make_shared<FeedingQueueRunner>(queue, std::move(operations), std::move(feed_fns)));
  add_fullness(queue, least, capacity);
  return queue;
}

}  // namespace rill::estimator::inputs
