#pragma once

#include <cstdint>
#include <optional>
#include <source_location>
#include <string>
#include <variant>
#include <vector>

#include "rill/api/core/default_graph.h"
#include "rill/api/sparse/sparse_tensor.h"

namespace rill::train {

// Batches by way of a queue that threads fill: each function adds its queue runner to the graph's
// collection, and start_queue_runners() must run it, or steps wait for ever. Components may be
// sparse.
//
//   train::Batch b = train::shuffle_batch({image, label}, 32, 1000, 500);
//
// At the end of the input the step fails with OutOfRange. Datasets do the same without threads to
// start.
using Component = std::variant<Input, SparseTensor>;
using Components = std::vector<Component>;
using BatchedComponent = std::variant<Output, SparseTensor>;
using Batch = std::vector<BatchedComponent>;

struct BatchOptions {
  std::int64_t num_threads = 1;  // of functions that take one list
  std::int64_t capacity = 32;    // of the queue, in elements
  bool enqueue_many = false;     // each component holds many elements, as its rows
  std::optional<std::vector<PartialShape>> shapes = {};  // of the elements; none: as they are known
  bool dynamic_pad = false;  // elements of a batch are padded with zeros to one shape
  bool allow_smaller_final_batch = false;
  std::string shared_name = {};
  std::string name = {};
};
// Throw InvalidArgument where ranks are not known, lists do not go together, or there is nothing to
// batch. With dynamic_pad only ranks need be known.
Batch batch(const Components& tensors, const Input& batch_size, const BatchOptions& options = {},
            std::source_location at = std::source_location::current());
// One thread for every list.
Batch batch_join(const std::vector<Components>& tensors_list, const Input& batch_size,
                 const BatchOptions& options = {},
                 std::source_location at = std::source_location::current());
// Only what `keep_input` says: a truth value or, with enqueue_many, one for each row.
Batch maybe_batch(const Components& tensors, const Input& keep_input, const Input& batch_size,
                  const BatchOptions& options = {},
                  std::source_location at = std::source_location::current());
Batch maybe_batch_join(const std::vector<Components>& tensors_list, const Input& keep_input,
                       const Input& batch_size, const BatchOptions& options = {},
                       std::source_location at = std::source_location::current());

struct ShuffleBatchOptions {
  std::int64_t num_threads = 1;
  std::optional<std::int64_t> seed = {};
  bool enqueue_many = false;
  std::optional<std::vector<PartialShape>> shapes = {};
  bool allow_smaller_final_batch = false;
  std::string shared_name = {};
  std::string name = {};
};
// The same in random order: each element is drawn from at least `min_after_dequeue` others, until
// the input ends. Throws InvalidArgument unless the capacity is larger than that.
Batch shuffle_batch(const Components& tensors, const Input& batch_size, std::int64_t capacity,
                    std::int64_t min_after_dequeue, const ShuffleBatchOptions& options = {},
                    std::source_location at = std::source_location::current());
Batch shuffle_batch_join(const std::vector<Components>& tensors_list, const Input& batch_size,
                         std::int64_t capacity, std::int64_t min_after_dequeue,
                         const ShuffleBatchOptions& options = {},
                         std::source_location at = std::source_location::current());
Batch maybe_shuffle_batch(const Components& tensors, const Input& batch_size, std::int64_t capacity,
                          std::int64_t min_after_dequeue, const Input& keep_input,
                          const ShuffleBatchOptions& options = {},
                          std::source_location at = std::source_location::current());
Batch maybe_shuffle_batch_join(const std::vector<Components>& tensors_list, const Input& batch_size,
                               std::int64_t capacity, std::int64_t min_after_dequeue,
                               const Input& keep_input, const ShuffleBatchOptions& options = {},
                               std::source_location at = std::source_location::current());

}  // namespace rill::train
