#include "rill/api/input/batch.h"

#include "rill/api/core/basic_ops.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/core/graph_only.h"
#include "rill/api/core/made_here.h"
#include "rill/api/core/row_shapes.h"
#include "rill/api/core/texts.h"
#include "rill/api/gen/data_flow.h"
#include "rill/api/gen/math.h"
#include "rill/api/input/batch_sparse.h"
#include "rill/api/input/input_producers.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/operators.h"
#include "rill/api/train/queue_runner.h"
#include "rill/base/error.h"
#include "rill/graph/flow_builders.h"

namespace rill::train {
namespace {

// Everything that the functions differ in.
struct Batching {
  const char* scope_name;
  bool join;
  std::optional<std::int64_t> min_after_dequeue;  // of those that shuffle
  std::optional<std::int64_t> seed;
  BatchOptions options;
};

Batching shuffling(const char* scope_name, bool join, std::int64_t capacity,
                   std::int64_t min_after_dequeue, const ShuffleBatchOptions& o) {
  Batching how{scope_name, join, min_after_dequeue, o.seed, {}};
  how.options.num_threads = o.num_threads;
  how.options.capacity = capacity;
  how.options.enqueue_many = o.enqueue_many;
  how.options.shapes = o.shapes;
  how.options.allow_smaller_final_batch = o.allow_smaller_final_batch;
  how.options.shared_name = o.shared_name;
  how.options.name = o.name;
  return how;
}

Output checked_keep_input(const Input& keep_input, bool enqueue_many) {
  const Output keep = as_tensor(keep_input);
  const PartialShape& shape = keep.shape();
  require(shape.has_rank(), "`keep_input` dimensions must be known at graph construction.");
  require(enqueue_many || shape.rank() != 1,
          "`keep_input` cannot be a vector when `enqueue_many=False`.");
  require(shape.rank() <= 1, "`keep_input` must be 0 or 1 dimensions.");
  return keep;
}

Batch as_components(const Components& list) {
  Batch result;
  for (const Component& item : list)
    if (const auto* sparse = std::get_if<SparseTensor>(&item))
      result.emplace_back(*sparse);
    else
      result.emplace_back(as_tensor(std::get<Input>(item)));
  return result;
}

std::vector<DType> types_of(const std::vector<std::vector<Output>>& lists) {
  std::vector<DType> types;
  for (const Output& tensor : lists[0]) types.push_back(base_type(tensor.dtype()));
  for (const auto& list : lists) {
    std::vector<DType> others;
    for (const Output& tensor : list) others.push_back(base_type(tensor.dtype()));
    const auto text = [](const std::vector<DType>& all) {
      std::string names;
      for (const DType type : all) names += str_cat(names.empty() ? "" : ", ", dtype_text(type));
      return names;
    };
    require_type(others == types, "Expected types to be consistent: ", text(types), " vs. ",
                 text(others), ".");
  }
  return types;
}

std::vector<PartialShape> shapes_of(const std::vector<std::vector<Output>>& lists,
                                    bool enqueue_many) {
  std::vector<PartialShape> shapes;
  for (std::size_t i = 0; i < lists[0].size(); ++i) {
    const auto element = [&](const std::vector<Output>& list) {
      const PartialShape& shape = list[i].shape();
      require(shape.has_rank(), "Cannot infer Tensor's rank: ", tensor_text(list[i]));
      if (!enqueue_many) return shape;
      require(shape.rank() >= 1, "Shape ", shape, " must have rank at least 1");
      return shape_of_row(shape);
    };
    shapes.push_back(element(lists[0]));
    for (const auto& list : lists)
      require(element(list).is_compatible(shapes[i]), "Shapes ", shapes[i], " and ", element(list),
              " are incompatible");
  }
  return shapes;
}

queue::QueueBase make_queue(const Batching& how, const std::vector<DType>& types,
                            const std::vector<PartialShape>& shapes) {
  const BatchOptions& o = how.options;
  if (how.min_after_dequeue) {
    queue::RandomShuffleQueueOptions options;
    options.shapes = shapes;
    options.shared_name = o.shared_name;
    options.seed = how.seed;
    return queue::RandomShuffleQueue(o.capacity, *how.min_after_dequeue, types, options);
  }
  if (o.dynamic_pad)
    return queue::PaddingFIFOQueue(o.capacity, types, shapes, {.shared_name = o.shared_name});
  return queue::FIFOQueue(o.capacity, types, {.shapes = shapes, .shared_name = o.shared_name});
}

// The operation that enqueues or, where nothing is kept, does nothing.
Runnable when_kept(Output keep, const std::function<Node&()>& enqueue) {
  if (const std::optional<bool> known = smart_constant_value(keep))
    return *known ? Runnable(enqueue()) : Runnable(no_op());
  CondBuilder builder(current_scope().named("cond"), keep);
  const auto branch = [&](bool kept) {
    const Inside inside(builder.branch(kept));
    return builder.result(kept, kept ? enqueue() : no_op());
  };
  const Output done = branch(true), skipped = branch(false);
  return builder.merge(skipped, done);
}

Runnable enqueue(queue::QueueBase& queue, const std::vector<Output>& tensors, bool many,
                 Output keep) {
  std::vector<Input> values(tensors.begin(), tensors.end());
  if (keep.shape().rank() == 1) {
    const Output chosen = cast(keep, DType::i32);
    for (Input& value : values) value = raw::DynamicPartition(value, chosen, 2)[1];
    return many ? queue.enqueue_many(values) : queue.enqueue(values);
  }
  return when_kept(
      keep, [&]() -> Node& { return many ? queue.enqueue_many(values) : queue.enqueue(values); });
}

void add_runner(queue::QueueBase& queue, const std::vector<std::vector<Output>>& lists,
                const Batching& how, Output keep) {
  std::vector<Runnable> ops;
  for (const auto& list : lists)
    ops.push_back(enqueue(queue, list, how.options.enqueue_many, keep));
  if (!how.join) {
    require(how.options.num_threads > 0, "Must provide queue and enqueue_ops.");
    ops.assign(static_cast<std::size_t>(how.options.num_threads), Runnable(ops[0]));
  }
  add_queue_runner(std::make_shared<QueueRunner>(queue, ops));
}

void add_summary(queue::QueueBase& queue, const Batching& how) {
  const std::int64_t capacity = how.options.capacity;
  if (!how.min_after_dequeue)
    return add_fullness_summary(str_cat("fraction_of_", capacity, "_full"), queue.size(),
                                static_cast<double>(capacity));
  const std::int64_t least = *how.min_after_dequeue;
  const Output over =
      raw::Maximum(0, operators::sub(queue.size(), least, std::source_location::current()));
  add_fullness_summary(str_cat("fraction_over_", least, "_of_", capacity - least, "_full"), over,
                       static_cast<double>(capacity - least));
}

Batch batched(const std::vector<Components>& lists, const Input& batch_size,
              const Input& keep_input, const Batching& how, std::source_location at) {
  const BatchOptions& options = how.options;
  require(!executing_eagerly(), kNoQueuePipelines);  // by another class than producers
  const Block in(options.name, how.scope_name, at);
  require(!how.min_after_dequeue || options.capacity > *how.min_after_dequeue, "capacity ",
          options.capacity, " must be bigger than min_after_dequeue ",
          how.min_after_dequeue.value_or(0), ".");
  require(!lists.empty(), "Expected at least one set of tensors");
  require(!lists[0].empty(), "Expected at least one tensor in batch().");
  std::vector<Batch> components;
  for (const Components& list : lists) components.push_back(as_components(list));
  const Output keep = checked_keep_input(keep_input, options.enqueue_many);
  std::vector<std::vector<Output>> tensors;
  std::vector<StoredSparse> sparse;
  for (const Batch& list : components) {
    StoredComponents stored = store_sparse(list, options.enqueue_many, keep, sparse);
    if (sparse.empty()) sparse = stored.sparse;
    tensors.push_back(std::move(stored.tensors));
  }
  const std::vector<DType> types = types_of(tensors);
  queue::QueueBase queue = make_queue(
      how, types, options.shapes ? *options.shapes : shapes_of(tensors, options.enqueue_many));
  add_runner(queue, tensors, how, keep);
  add_summary(queue, how);
  const queue::QueueOpOptions named{in.own_name()};
  return restore_sparse(options.allow_smaller_final_batch ? queue.dequeue_up_to(batch_size, named)
                                                          : queue.dequeue_many(batch_size, named),
                        sparse);
}

}  // namespace

Batch batch(const Components& tensors, const Input& batch_size, const BatchOptions& options,
            std::source_location at) {
  return maybe_batch(tensors, true, batch_size, options, at);
}

Batch batch_join(const std::vector<Components>& tensors_list, const Input& batch_size,
                 const BatchOptions& options, std::source_location at) {
  return maybe_batch_join(tensors_list, true, batch_size, options, at);
}

Batch maybe_batch(const Components& tensors, const Input& keep_input, const Input& batch_size,
                  const BatchOptions& options, std::source_location at) {
  return batched({tensors}, batch_size, keep_input, {"batch", false, {}, {}, options}, at);
}

Batch maybe_batch_join(const std::vector<Components>& tensors_list, const Input& keep_input,
                       const Input& batch_size, const BatchOptions& options,
                       std::source_location at) {
  return batched(tensors_list, batch_size, keep_input, {"batch_join", true, {}, {}, options}, at);
}

Batch shuffle_batch(const Components& tensors, const Input& batch_size, std::int64_t capacity,
                    std::int64_t min_after_dequeue, const ShuffleBatchOptions& options,
                    std::source_location at) {
  return maybe_shuffle_batch(tensors, batch_size, capacity, min_after_dequeue, true, options, at);
}

Batch shuffle_batch_join(const std::vector<Components>& tensors_list, const Input& batch_size,
                         std::int64_t capacity, std::int64_t min_after_dequeue,
                         const ShuffleBatchOptions& options, std::source_location at) {
  return maybe_shuffle_batch_join(tensors_list, batch_size, capacity, min_after_dequeue, true,
                                  options, at);
}

Batch maybe_shuffle_batch(const Components& tensors, const Input& batch_size, std::int64_t capacity,
                          std::int64_t min_after_dequeue, const Input& keep_input,
                          const ShuffleBatchOptions& options, std::source_location at) {
  return batched({tensors}, batch_size, keep_input,
                 shuffling("shuffle_batch", false, capacity, min_after_dequeue, options), at);
}

Batch maybe_shuffle_batch_join(const std::vector<Components>& tensors_list, const Input& batch_size,
                               std::int64_t capacity, std::int64_t min_after_dequeue,
                               const Input& keep_input, const ShuffleBatchOptions& options,
                               std::source_location at) {
  return batched(tensors_list, batch_size, keep_input,
                 shuffling("shuffle_batch_join", true, capacity, min_after_dequeue, options), at);
}

}  // namespace rill::train
