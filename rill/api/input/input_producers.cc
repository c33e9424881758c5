#include "rill/api/input/input_producers.h"

#include "rill/api/array/picking.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/core/graph_only.h"
#include "rill/api/core/row_shapes.h"
#include "rill/api/core/slicing.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/io.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/sequences.h"
#include "rill/api/random/random_ops.h"
#include "rill/api/summary/summary.h"
#include "rill/base/error.h"

namespace rill::train {

void add_fullness_summary(const std::string& name, Output filled, double capacity) {
  summaries::scalar(name, operators::mul(cast(filled, DType::f32), 1.0 / capacity,
                                         std::source_location::current()));
}

namespace {

const std::string kLocalVariables = GraphKeys::LOCAL_VARIABLES;

PartialShape row_shape(Output rows, const PartialShape& wanted) {
  const PartialShape own = rows.shape().has_rank() && rows.shape().rank() > 0
                               ? shape_of_row(rows.shape())
                               : PartialShape();
  require(own.is_compatible(wanted), "Shapes ", own, " and ", wanted, " are incompatible");
  if (!own.has_rank()) return wanted;
  if (!wanted.has_rank()) return own;
  PartialShape merged = own;
  for (int d = 0; d < own.rank(); ++d)
    if (own[d] < 0) merged = merged.with_dim(d, wanted[d]);
  return merged;
}

// `name` is the queue's own; its type where that is empty.
queue::FIFOQueue produced(Output rows, const InputProducerOptions& options,
                          const std::string& name) {
  const PartialShape element = row_shape(rows, options.element_shape);
  require(element.is_full(),
          "Either `input_tensor` must have a fully defined shape or `element_shape` must be "
          "specified");
  if (options.shuffle) rows = random_shuffle(rows, {.seed = options.seed});
  rows = limit_epochs(rows, options.num_epochs);
  queue::FIFOQueue queue(options.capacity, {base_type(rows.dtype())},
                         {.shapes = {element},
                          .shared_name = options.shared_name,
                          .name = name.empty() ? "FIFOQueueV2" : name});
  Node& enqueue = queue.enqueue_many({rows});
  add_queue_runner(std::make_shared<QueueRunner>(
      queue, std::vector<Runnable>{enqueue}, QueueRunnerOptions{.cancel_op = options.cancel_op}));
  if (!options.summary_name.empty())
    add_fullness_summary(options.summary_name, queue.size(), static_cast<double>(options.capacity));
  return queue;
}

// An input producer inside of one that has another way to get at its rows.
queue::FIFOQueue inner_producer(Output rows, InputProducerOptions options, const Block& in) {
  options.element_shape = PartialShape::scalar();
  options.summary_name = str_cat("fraction_of_", options.capacity, "_full");
  options.name = in.own_name();
  return input_producer(rows, options);
}

}  // namespace

Variable match_filenames_once(const Input& pattern, const MatchFilenamesOptions& options,
                              std::source_location at) {
  const Block in(options.name, "matching_filenames", at);
  return Variable(raw::MatchingFiles(pattern), {.trainable = false,
                                                .collections = {{kLocalVariables}},
                                                .validate_shape = false,
                                                .name = in.own_name()});
}

Output limit_epochs(const Input& tensor, std::optional<std::int64_t> num_epochs,
                    const LimitEpochsOptions& options, std::source_location at) {
  if (!num_epochs) return as_tensor(tensor);
  require(*num_epochs > 0, "num_epochs must be > 0 not ", *num_epochs, ".");
  const Block in(options.name, "limit_epochs", at);
  const Output zero = current_scope().constant(Tensor::scalar<std::int64_t>(0));
  const Variable epochs(zero,
                        {.trainable = false, .collections = {{kLocalVariables}}, .name = "epochs"});
  Node* const counter = epochs.count_up_to(*num_epochs).node;
  const ControlDependencies counted(std::span(&counter, 1));
  return raw::Identity(tensor, {.name = in.own_name()});
}

queue::FIFOQueue input_producer(const Input& input_tensor, const InputProducerOptions& options,
                                std::source_location at) {
  require_graph_mode(kNoQueuePipelines);
  const Block in(options.name, "input_producer", at);
  return produced(as_tensor(input_tensor, "input_tensor"), options, options.name);
}

queue::FIFOQueue string_input_producer(const Input& string_tensor,
                                       const InputProducerOptions& options,
                                       std::source_location at) {
  require_graph_mode(kNoQueuePipelines);
  const Block in(options.name, "input_producer", at);
  Output strings = as_tensor(string_tensor, "Const", DType::string);
  Node* const not_empty = &assert_true(operators::greater(size(strings), 0, at),
                                       {"string_input_producer requires a non-null input tensor"});
  {
    const ControlDependencies checked(std::span(&not_empty, 1));
    strings = raw::Identity(strings);
  }
  return inner_producer(strings, options, in);
}

queue::FIFOQueue range_input_producer(const Input& limit, const InputProducerOptions& options,
                                      std::source_location at) {
  require_graph_mode(kNoQueuePipelines);
  const Block in(options.name, "input_producer", at);
  return inner_producer(range(limit), options, in);
}

std::vector<Output> slice_input_producer(const Inputs& tensor_list,
                                         const InputProducerOptions& options,
                                         std::source_location at) {
  require_graph_mode(kNoQueuePipelines);
  const Block in(options.name, "input_producer", at);
  require(!tensor_list.empty(), "Expected at least one tensor in slice_input_producer().");
  std::vector<Output> tensors;
  for (const Input& tensor : tensor_list) tensors.push_back(as_tensor(tensor));
  const Output count = slice(shape(tensors[0]), {Input(0)});
  InputProducerOptions inner = options;
  inner.name.clear();
  const Output index = range_input_producer(count, inner).dequeue()[0];
  std::vector<Output> rows;
  for (const Output& tensor : tensors) rows.push_back(gather(tensor, index));
  return rows;
}

}  // namespace rill::train
