#include "rill/ops/queue/queue.h"
#include "rill/kernel/kernel_entries.h"
#include "rill/ops/queue/tuples.h"
#include "rill/ops/queue/type_list.h"
#include "rill/ops/resource/shared_handle.h"

namespace rill {

extern const OpDecl kQueueEnqueue, kQueueEnqueueMany, kQueueDequeue, kQueueDequeueMany,
    kQueueDequeueUpTo, kQueueClose, kQueueIsClosed, kQueueSize;
extern const OpDecl kQueueEnqueueV2, kQueueEnqueueManyV2, kQueueDequeueV2, kQueueDequeueManyV2,
    kQueueDequeueUpToV2, kQueueCloseV2, kQueueIsClosedV2, kQueueSizeV2;

namespace {

using Shared = std::shared_ptr<Queue>;

void check_timeout(const KernelNode& node) {
  require(node.attr<std::int64_t>("timeout_ms") == -1, "Timeout not supported yet.");
}

void check_component(std::size_t c, const Tensor& given, const PartialShape& wanted) {
  require(wanted.accepts(given.shape()), "Shape mismatch in tuple component ", c, ". Expected ",
          wanted, ", got ", given.shape());
}

Shared queue_to_fill(const KernelCall& call) {
  check_timeout(call.node());
  auto queue = shared_input_as<Queue>(call);
  check_signature(call.node(), queue->options().types, {});
  return queue;
}

void enqueue(KernelCall& call, Done done) {
  const Shared queue = queue_to_fill(call);
  const auto& shapes = queue->options().shapes;
  for (std::size_t c = 0; c < shapes.size(); ++c)
    check_component(c, call.input_tensor(static_cast<int>(c) + 1), shapes[c]);
  std::vector<Tuple> elements;
  elements.push_back(tuple_of_inputs(call, 1));
  queue->put(std::make_shared<Putter>(call, std::move(done), std::move(elements)));
}

PartialShape many(std::int64_t count, const PartialShape& shape) {
  Dims dims;
  dims.push_back(count);
  for (const std::int64_t dim : shape.dims()) dims.push_back(dim);
  return PartialShape(dims.span());
}

void enqueue_many(KernelCall& call, Done done) {
  const Shared queue = queue_to_fill(call);
  const auto& options = queue->options();
  for (std::size_t c = 0; c < options.types.size(); ++c)
    require(call.input_tensor(static_cast<int>(c) + 1).rank() > 0,
            "Shape mismatch in tuple component ", c, ". Expected a first dimension, got []");
  const std::int64_t count = call.input_tensor(1).dim(0);
  for (std::size_t c = 0; c < options.types.size(); ++c) {
    const Tensor& given = call.input_tensor(static_cast<int>(c) + 1);
    if (!options.shapes.empty()) check_component(c, given, many(count, options.shapes[c]));
    require(given.dim(0) == count, "All input tensors must have the same size in the 0th ",
            "dimension. Component ", c, " has ", given.dim(0), ", and should have ", count);
  }
  if (count == 0) return done(nullptr);
  queue->put(std::make_shared<Putter>(call, std::move(done), rows_of_inputs(call, 1)));
}

class TakeOne final : public Taker {
 public:
  TakeOne(KernelCall& call, Done done) : Taker(call, std::move(done), 1, false) {}

 private:
  void deliver(KernelCall& call) override {
    for (int c = 0; c < call.output_count(); ++c)
      call.set_output(c, std::move(taken.front()[static_cast<std::size_t>(c)]));
  }
};

void set_joined(KernelCall& call, const Queue& queue, std::span<const Tuple> tuples) {
  const auto& options = queue.options();
  for (std::size_t c = 0; c < options.types.size(); ++c)
    call.set_output(static_cast<int>(c),
                    joined_component(tuples, c, options.types[c], options.shapes[c], options.pads));
}

class TakeFromQueue final : public Taker {
 public:
  TakeFromQueue(KernelCall& call, Done done, Shared queue, std::int64_t count, bool fewer_do)
      : Taker(call, std::move(done), count, fewer_do), queue_(std::move(queue)) {}

 private:
  void deliver(KernelCall& call) override { set_joined(call, *queue_, taken); }
  const Shared queue_;
};

void dequeue(KernelCall& call, Done done) {
  check_timeout(call.node());
  const auto queue = shared_input_as<Queue>(call);
  check_signature(call.node(), {}, queue->options().types);
  queue->take(std::make_shared<TakeOne>(call, std::move(done)));
}

void dequeue_some(KernelCall& call, Done done, const char* what, bool fewer_do) {
  check_timeout(call.node());
  const auto queue = shared_input_as<Queue>(call);
  constexpr DType kCount[] = {DType::i32};
  check_signature(call.node(), kCount, queue->options().types);
  const std::int32_t count = call.input_tensor(1).scalar_value<std::int32_t>();
  require(count >= 0, what, " requested ", count, " < 0 elements");
  require(queue->options().shapes.size() == queue->options().types.size(), queue->options().kind,
          "'s DequeueMany and DequeueUpTo require the components to have specified shapes.");
  if (count == 0) {
    set_joined(call, *queue, {});
    return done(nullptr);
  }
  queue->take(std::make_shared<TakeFromQueue>(call, std::move(done), queue, count, fewer_do));
}

void dequeue_many(KernelCall& call, Done done) {
  dequeue_some(call, std::move(done), "DequeueManyOp", false);
}
void dequeue_up_to(KernelCall& call, Done done) {
  dequeue_some(call, std::move(done), "DequeueUpToOp", true);
}

void close_queue(KernelCall& call, Done done) {
  const auto queue = shared_input_as<Queue>(call);
  if (!call.node().attr<bool>("cancel_pending_enqueues"))
    return queue->put(Putter::closing(call, std::move(done)));
  queue->close_at_once();
  done(nullptr);
}

void is_closed(KernelCall& call) {
  call.set_output(0, Tensor::scalar(shared_input_as<Queue>(call)->closed()));
}
void size(KernelCall& call) {
  const auto count = static_cast<std::int32_t>(shared_input_as<Queue>(call)->size());
  call.set_output(0, Tensor::scalar(count));
}

constexpr KernelEntry kEntries[] = {
    quick_kernel(kQueueEnqueue, enqueue),
    quick_kernel(kQueueEnqueueV2, enqueue),
    quick_kernel(kQueueEnqueueMany, enqueue_many),
    quick_kernel(kQueueEnqueueManyV2, enqueue_many),
    quick_kernel(kQueueDequeue, dequeue),
    quick_kernel(kQueueDequeueV2, dequeue),
    quick_kernel(kQueueDequeueMany, dequeue_many),
    quick_kernel(kQueueDequeueManyV2, dequeue_many),
    quick_kernel(kQueueDequeueUpTo, dequeue_up_to),
    quick_kernel(kQueueDequeueUpToV2, dequeue_up_to),
    quick_kernel(kQueueClose, close_queue),
    quick_kernel(kQueueCloseV2, close_queue),
    quick_kernel(kQueueIsClosed, is_closed),
    quick_kernel(kQueueIsClosedV2, is_closed),
    quick_kernel(kQueueSize, size),
    quick_kernel(kQueueSizeV2, size),
};

}  // namespace

extern const KernelTable kQueueCpu{kEntries};

}  // namespace rill
