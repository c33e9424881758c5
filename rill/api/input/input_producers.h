#pragma once

#include <cstdint>
#include <optional>
#include <source_location>
#include <string>
#include <vector>

#include "rill/api/queue/queues.h"
#include "rill/api/train/queue_runner.h"
#include "rill/api/variables/variable.h"

namespace rill::train {

// Queues that are filled, again and again, with the rows of a tensor. Each adds its queue runner to
// the graph's collection; with num_epochs they need local_variables_initializer() to be run, too.
//
//   queue::FIFOQueue files = train::string_input_producer(Input(names), {.num_epochs = 3});
//   auto [key, line] = TextLineReader().read(files);

struct MatchFilenamesOptions {
  std::string name = {};
};
// A local variable whose initial value are the names of the files that match, so that all steps of
// a session see the same list.
Variable match_filenames_once(const Input& pattern, const MatchFilenamesOptions& options = {},
                              std::source_location at = std::source_location::current());

struct LimitEpochsOptions {
  std::string name = {};
};
// The tensor, which can be computed `num_epochs` times; then the step fails with OutOfRange. A
// local variable counts. Without a number, the tensor itself. Throws InvalidArgument for one below
// 1.
Output limit_epochs(const Input& tensor, std::optional<std::int64_t> num_epochs,
                    const LimitEpochsOptions& options = {},
                    std::source_location at = std::source_location::current());

struct InputProducerOptions {
  PartialShape element_shape = {};              // where the tensor's own is not known
  std::optional<std::int64_t> num_epochs = {};  // none: without end
  bool shuffle = true;                          // anew in every epoch
  std::optional<std::int64_t> seed = {};
  std::int64_t capacity = 32;
  std::string shared_name = {};
  std::string summary_name = {};  // empty: no summary of how full the queue is
  Runnable cancel_op = {};
  std::string name = {};
};
// The rows of `input_tensor`. Throws InvalidArgument when their shape is not known.
queue::FIFOQueue input_producer(const Input& input_tensor, const InputProducerOptions& options = {},
                                std::source_location at = std::source_location::current());
// The strings of a vector; the step fails where it is empty.
queue::FIFOQueue string_input_producer(const Input& string_tensor,
                                       const InputProducerOptions& options = {},
                                       std::source_location at = std::source_location::current());
// The integers from 0 to below `limit`.
queue::FIFOQueue range_input_producer(const Input& limit, const InputProducerOptions& options = {},
                                      std::source_location at = std::source_location::current());
// One row of each tensor at a time, the same of all.
std::vector<Output> slice_input_producer(const Inputs& tensor_list,
                                         const InputProducerOptions& options = {},
                                         std::source_location at = std::source_location::current());

// How full a queue is, as a summary of the collection.
void add_fullness_summary(const std::string& name, Output filled, double capacity);

}  // namespace rill::train
