#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rill/api/train/queue_runner.h"

namespace rill::estimator::inputs {

// Arrays of as many rows by name, in the order of a queue's components.
using Columns = std::vector<std::pair<std::string, Tensor>>;

// Fills a queue with values that a program computes outside of the graph. Each enqueuing operation
// has a thread, which calls its function.
class FeedingQueueRunner : public train::QueueRunner {
 public:
  // What a step of one enqueuing operation is fed; throws OutOfRange at the end.
  using FeedFn = std::function<std::vector<Feed>()>;
  FeedingQueueRunner(queue::QueueBase queue, std::vector<train::Runnable> enqueue_ops,
                     std::vector<FeedFn> feed_fns,
                     std::source_location at = std::source_location::current())
      : QueueRunner(std::move(queue), std::move(enqueue_ops), {}, at),
        feed_fns_(std::move(feed_fns)) {}
  void enqueue(Session& session, std::size_t op) override;
  std::vector<Feed> next_feeds(std::size_t op) { return feed_fns_.at(op)(); }

 private:
  std::vector<FeedFn> feed_fns_;
};

struct RowReaderOptions {
  std::int64_t batch_size = 1;
  bool random_start = false;
  std::optional<std::int64_t> seed = {};
  std::optional<std::int64_t> num_epochs = {};  // none: without end
};

// Goes through the rows of arrays in batches, over the end to the beginning; the last batch of the
// last epoch is smaller. Throws InvalidArgument where the arrays differ in length or are empty.
class RowReader {
 public:
  RowReader(const Tensor& labels, const Columns& columns, const RowReaderOptions& options);
  // The labels of the next rows and these of each column. Throws OutOfRange behind the last epoch.
  std::vector<Tensor> next();

 private:
  Tensor rows(const Tensor& column, std::int64_t count) const;

  std::vector<Tensor> columns_;
  RowReaderOptions options_;
  std::int64_t total_, position_ = 0;
  std::optional<std::int64_t> left_;  // rows until the end of the last epoch
};

struct EnqueueDataOptions {
  bool shuffle = false;
  std::optional<std::int64_t> min_after_dequeue = {};  // none: a quarter of the capacity
  int num_threads = 1;
  std::optional<std::int64_t> seed = {};
  std::string name = "enqueue_input";
  std::int64_t enqueue_size = 1;
  std::optional<std::int64_t> num_epochs = {};
  Tensor labels = {};  // what the first component tells rows apart by; none: their numbers
};
// A queue that a queue runner fills with the rows of `columns`, each with its number first. Throws
// InvalidArgument where there are no columns.
queue::QueueBase enqueue_data(const Columns& columns, std::int64_t capacity,
                              const EnqueueDataOptions& options = {},
                              std::source_location at = std::source_location::current());

}  // namespace rill::estimator::inputs
