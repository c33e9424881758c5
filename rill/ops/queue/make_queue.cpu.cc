#include "rill/kernel/kernel_entries.h"
#include "rill/ops/queue/queue.h"
#include "rill/ops/queue/type_list.h"
#include "rill/ops/resource/shared_handle.h"

namespace rill {

extern const OpDecl kFIFOQueue, kPaddingFIFOQueue, kPriorityQueue, kRandomShuffleQueue;
extern const OpDecl kFIFOQueueV2, kPaddingFIFOQueueV2, kPriorityQueueV2, kRandomShuffleQueueV2;
extern const OpDecl kFakeQueue;

namespace {

using MakeStore = std::unique_ptr<ElementStore> (*)(const Queue::Options&);

Queue::Options options_of(const KernelCall& call, const char* kind) {
  const KernelNode& node = call.node();
  const std::int64_t capacity = node.attr<std::int64_t>("capacity");
  return {.kind = kind,
          .name = call.state<SharedHandle>().name(),
          .types = node.attr<std::vector<DType>>("component_types"),
          .shapes = node.attr<std::vector<PartialShape>>("shapes"),
          .capacity = capacity < 0 ? -1 : capacity};
}

// Components have fixed shapes, or none of them has one.
void check_shapes(const Queue::Options& options) {
  require(options.shapes.empty() || options.shapes.size() == options.types.size(),
          "Different number of component types.  Types: ", type_list(options.types),
          ", Shapes: ", shape_list(options.shapes));
  for (const PartialShape& shape : options.shapes)
    require(shape.is_full(), "Shape ", shape, " is not fully defined");
}

void make_queue(KernelCall& call, const Queue::Options& options, MakeStore make_store) {
  call.state<SharedHandle>().set_output(
      call, Queue::kTypeName, [&] { return std::make_shared<Queue>(options, make_store(options)); },
      [&](const Resource& found) {
        const auto* queue = dynamic_cast<const Queue*>(&found);
        require(queue != nullptr, found.describe(), " is not a queue");
        queue->options().check_same(options);
      });
}

void fifo_queue(KernelCall& call) {
  const Queue::Options options = options_of(call, "FIFOQueue");
  check_shapes(options);
  make_queue(call, options, [](const Queue::Options&) { return first_in_first_out(); });
}

void padding_fifo_queue(KernelCall& call) {
  Queue::Options options = options_of(call, "PaddingFIFOQueue");
  require(options.shapes.size() == options.types.size(),
          "Shapes must be provided for all components, but received ", options.types.size(),
          " dtypes and ", options.shapes.size(), " shapes.");
  for (const PartialShape& shape : options.shapes)
    require(shape.has_rank(), "shape ", shape, " must have known rank.");
  options.pads = true;
  make_queue(call, options, [](const Queue::Options&) { return first_in_first_out(); });
}

void priority_queue(KernelCall& call) {
  Queue::Options options = options_of(call, "PriorityQueue");
  require(options.shapes.size() == options.types.size(), "Different number of component types.  ",
          "Types: ", type_list(options.types), ", Shapes: ", shape_list(options.shapes));
  check_shapes(options);
  options.types.insert(options.types.begin(), DType::i64);
  options.shapes.insert(options.shapes.begin(), PartialShape::scalar());
  make_queue(call, options, [](const Queue::Options&) { return lowest_first(); });
}

void random_shuffle_queue(KernelCall& call) {
  Queue::Options options = options_of(call, "RandomShuffleQueue");
  check_shapes(options);
  options.min_after_dequeue = call.node().attr<std::int64_t>("min_after_dequeue");
  options.seed = call.node().attr<std::int64_t>("seed");
  options.seed2 = call.node().attr<std::int64_t>("seed2");
  require(options.min_after_dequeue >= 0, "min_after_dequeue ", options.min_after_dequeue,
          " must be >= 0");
  require(options.capacity < 0 || options.min_after_dequeue < options.capacity,
          "min_after_dequeue ", options.min_after_dequeue, " must be < capacity ",
          options.capacity);
  make_queue(call, options,
             [](const Queue::Options& o) { return in_random_order(o.seed, o.seed2); });
}

void fake_queue(KernelCall& call) {
  const auto& handle = call.input_tensor(0).scalar_value<ResourceHandle>();
  auto strings =
      std::make_shared<VariableResource>(call.node().name, DType::string, PartialShape{2});
  strings->assign(Tensor::vector<std::string>({handle.container, handle.name}));
  call.set_ref_output(0, std::move(strings));
}

constexpr KernelEntry kEntries[] = {
    shared_handle_kernel(kFIFOQueue, fifo_queue),
    shared_handle_kernel(kFIFOQueueV2, fifo_queue),
    shared_handle_kernel(kPaddingFIFOQueue, padding_fifo_queue),
    shared_handle_kernel(kPaddingFIFOQueueV2, padding_fifo_queue),
    shared_handle_kernel(kPriorityQueue, priority_queue),
    shared_handle_kernel(kPriorityQueueV2, priority_queue),
    shared_handle_kernel(kRandomShuffleQueue, random_shuffle_queue),
    shared_handle_kernel(kRandomShuffleQueueV2, random_shuffle_queue),
    quick_kernel(kFakeQueue, fake_queue),
};

}  // namespace

extern const KernelTable kMakeQueueCpu{kEntries};

}  // namespace rill
