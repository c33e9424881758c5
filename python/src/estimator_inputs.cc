// tf.estimator.inputs: batches of the rows of arrays.
#include "estimator_outer.h"
#include "interpreter_lock.h"
#include "numpy.h"
#include "rill/api/estimator/input/numpy_input.h"
#include "train_inputs.h"

namespace rill::python {
namespace {

// Of a list of pairs (name, array).
estimator::inputs::Columns columns_of_pairs(nb::handle pairs) {
  estimator::inputs::Columns columns;
  for (nb::handle pair : pairs)
    columns.emplace_back(str_of(pair[0]),
                         tensor_from_feed(pair[1], dtype_of_numpy(pair[1].attr("dtype"))));
  return columns;
}

constexpr Function kFunctions[] = {
    {"_estimator.row_batch(x, y, batch_size, num_epochs, shuffle, queue_capacity, num_threads, "
     "min_after_dequeue=None, labels=None)",
     [](const Call& c) {
       estimator::inputs::RowBatchOptions options{
           .batch_size = c.integer("batch_size"),
           .queue_capacity = c.integer("queue_capacity"),
           .data = {.shuffle = c.flag("shuffle"),
                    .min_after_dequeue = c.optional_integer("min_after_dequeue"),
                    .num_threads = static_cast<int>(c.integer("num_threads")),
                    .num_epochs = c.optional_integer("num_epochs")}};
       if (c.has("labels"))
         options.data.labels =
             tensor_from_feed(c["labels"], dtype_of_numpy(c["labels"].attr("dtype")));
       return give(estimator::inputs::row_batch(columns_of_pairs(c["x"]), columns_of_pairs(c["y"]),
                                                options));
     },
     "The next rows of arrays, which queue runners feed."},
};

// What the next run of an enqueuing operation is fed.
nb::dict next_feeds(estimator::inputs::FeedingQueueRunner& runner, std::size_t op) {
  std::vector<Feed> feeds;
  try {
    const WithoutLock release;
    feeds = runner.next_feeds(op);
  } catch (const Error& error) {
    throw_run_error(error, nullptr);
  }
  nb::dict given;
  for (Feed& feed : feeds)
    given[give(feed.target)] = feed.value.dtype() == DType::string
                                   ? numpy_from_tensor(feed.value.clone())
                                   : numpy_view(std::move(feed.value));
  return given;
}

}  // namespace

void bind_estimator_inputs(nb::module_& m) {
  add_functions(kFunctions);
  nb::class_<estimator::inputs::FeedingQueueRunner, train::QueueRunner> c(m, "FeedingQueueRunner");
  c.doc() = "Fills a queue with the rows of arrays.";
  c.def("_next_feeds", next_feeds);
}

}  // namespace rill::python
