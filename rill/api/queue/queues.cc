#include "rill/api/queue/queues.h"

#include "rill/api/core/op_call.h"
#include "rill/api/core/texts.h"
#include "rill/api/random/random_seed.h"
#include "rill/base/error.h"
#include "rill/base/md5.h"

namespace rill::queue {
namespace {

void check_names(const std::vector<std::string>& names, const std::vector<DType>& dtypes) {
  require(names.empty() || names.size() == dtypes.size(),
          "List of names must have the same length as the list of dtypes, received len(names)=",
          names.size(), ",len(dtypes)=", dtypes.size());
}

void check_full(const std::vector<PartialShape>& shapes) {
  for (const PartialShape& shape : shapes)
    require(shape.is_full(), "All shapes must be fully defined: ", shape_text(shape));
}

OpCall queue_call(std::string_view op, std::int64_t capacity, const std::vector<DType>& types,
                  const QueueOptions& options) {
  OpCall call(op);
  call.attr("component_types", types)
      .attr("shapes", options.shapes)
      .attr("capacity", capacity)
      .attr("shared_name", options.shared_name);
  return call;
}

Output fifo_ref(std::int64_t capacity, const std::vector<DType>& dtypes,
                const QueueOptions& options, std::source_location at) {
  check_full(options.shapes);
  check_names(options.names, dtypes);
  const DeviceScope on_host("CPU");
  return queue_call("FIFOQueueV2", capacity, dtypes, options)
      .add(options.name.empty() ? "fifo_queue" : options.name, at)
      .output();
}

Output padding_ref(std::int64_t capacity, const std::vector<DType>& dtypes,
                   const std::vector<PartialShape>& shapes, QueueOptions options,
                   std::source_location at) {
  for (const PartialShape& shape : shapes)
    require(shape.has_rank(), "When providing partial shapes, a list of shapes must be provided.");
  require(!shapes.empty(), "When providing partial shapes, a list of shapes must be provided.");
  require(shapes.size() == dtypes.size(),
          "Shapes must be provided for all components, but received ", shapes.size(),
          " shapes and ", dtypes.size(), " dtypes.");
  check_names(options.names, dtypes);
  options.shapes = shapes;
  return queue_call("PaddingFIFOQueueV2", capacity, dtypes, options)
      .add(options.name.empty() ? "padding_fifo_queue" : options.name, at)
      .output();
}

Output priority_ref(std::int64_t capacity, const std::vector<DType>& types,
                    const QueueOptions& options, std::source_location at) {
  check_full(options.shapes);
  return queue_call("PriorityQueueV2", capacity, types, options)
      .add(options.name.empty() ? "priority_queue" : options.name, at)
      .output();
}

std::vector<DType> with_priority(std::vector<DType> types) {
  types.insert(types.begin(), DType::i64);
  return types;
}

std::vector<PartialShape> with_priority_shape(std::vector<PartialShape> shapes) {
  if (!shapes.empty()) shapes.insert(shapes.begin(), PartialShape::scalar());
  return shapes;
}

// A queue that sessions share must be shuffled alike by all of them, so its name makes the seed.
std::int64_t seed_of_name(std::int64_t graph_seed, const std::string& shared_name) {
  const std::string digits = md5_hex(std::to_string(graph_seed) + shared_name).substr(0, 8);
  return static_cast<std::int64_t>(std::stoul(digits, nullptr, 16) & 0x7FFFFFFFu);
}

Output shuffle_ref(std::int64_t capacity, std::int64_t min_after_dequeue,
                   const std::vector<DType>& dtypes, const RandomShuffleQueueOptions& options,
                   std::source_location at) {
  check_full(options.shapes);
  check_names(options.names, dtypes);
  RandomSeeds seeds = get_seed(options.seed).value_or(RandomSeeds{0, 0});
  if ((seeds.seed != 0 || seeds.seed2 != 0) && !options.seed && !options.shared_name.empty())
    seeds.seed2 = seed_of_name(seeds.seed, options.shared_name);
  return queue_call("RandomShuffleQueueV2", capacity, dtypes, options)
      .attr("min_after_dequeue", min_after_dequeue)
      .attr("seed", seeds.seed)
      .attr("seed2", seeds.seed2)
      .add(options.name.empty() ? "random_shuffle_queue" : options.name, at)
      .output();
}

}  // namespace

FIFOQueue::FIFOQueue(std::int64_t capacity, const std::vector<DType>& dtypes,
                     const QueueOptions& options, std::source_location at)
    : QueueBase(dtypes, options.shapes, options.names, fifo_ref(capacity, dtypes, options, at)) {}

PaddingFIFOQueue::PaddingFIFOQueue(std::int64_t capacity, const std::vector<DType>& dtypes,
                                   const std::vector<PartialShape>& shapes,
                                   const QueueOptions& options, std::source_location at)
    : QueueBase(dtypes, shapes, options.names, padding_ref(capacity, dtypes, shapes, options, at)) {
}

PriorityQueue::PriorityQueue(std::int64_t capacity, const std::vector<DType>& types,
                             const QueueOptions& options, std::source_location at)
    : QueueBase(with_priority(types), with_priority_shape(options.shapes), options.names,
                priority_ref(capacity, types, options, at)) {}

RandomShuffleQueue::RandomShuffleQueue(std::int64_t capacity, std::int64_t min_after_dequeue,
                                       const std::vector<DType>& dtypes,
                                       const RandomShuffleQueueOptions& options,
                                       std::source_location at)
    : QueueBase(dtypes, options.shapes, options.names,
                shuffle_ref(capacity, min_after_dequeue, dtypes, options, at)) {}

}  // namespace rill::queue
