#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

#include "rill/api/core/default_graph.h"

namespace rill::queue {

// The components of an element by the queue's names for them.
using NamedComponents = std::vector<std::pair<std::string, Input>>;

struct QueueOpOptions {
  std::string name = {};
};
// cancel_pending_enqueues: enqueues that wait for room fail with Cancelled instead of going in.
struct CloseOptions {
  bool cancel_pending_enqueues = false;
  std::string name = {};
};

// A queue of elements, each a list of tensors, kept in the session's resources. The methods add
// nodes to the graph; what is said of waiting and failing happens in the steps that run them.
//
//   FIFOQueue queue(100, {DType::f32, DType::i64}, {.shapes = {{3}, PartialShape::scalar()}});
//   Node& put = queue.enqueue({x, label});
//   std::vector<Output> batch = queue.dequeue_many(32);
//
// An enqueue waits while the queue is full, a dequeue until it has enough. After close, enqueues
// fail with Cancelled, and dequeues that cannot get enough with OutOfRange, which is how an input
// pipeline ends. A step that is interrupted while it waits leaves the queue as it was. Methods
// throw InvalidArgument where values cannot fit, and TypeError where their types do not.
class QueueBase {
 public:
  // Around a queue that exists. `shapes`: one for each component, or none at all; `names` likewise.
  QueueBase(std::vector<DType> dtypes, std::vector<PartialShape> shapes,
            std::vector<std::string> names, Output queue_ref);

  const std::vector<DType>& dtypes() const { return dtypes_; }
  const std::vector<PartialShape>& shapes() const { return shapes_; }
  const std::vector<std::string>& names() const { return names_; }
  const std::string& name() const { return queue_ref_.node->name(); }
  Output queue_ref() const { return queue_ref_; }

  // The queue that stands at position `index` of `queues`, chosen in every step. Shapes are what
  // all have in common. Throws TypeError for an empty list, or queues of other dtypes or names.
  static QueueBase from_list(const Input& index, const std::vector<QueueBase>& queues,
                             std::source_location at = std::source_location::current());

  // Puts one element. A queue with names takes NamedComponents only, one without takes lists only;
  // InvalidArgument otherwise, and where names are missing or too many.
  Node& enqueue(const Inputs& vals, const QueueOpOptions& options = {},
                std::source_location at = std::source_location::current());
  Node& enqueue(const NamedComponents& vals, const QueueOpOptions& options = {},
                std::source_location at = std::source_location::current());
  Node& enqueue(std::initializer_list<std::pair<std::string, Input>> vals,
                const QueueOpOptions& options = {},
                std::source_location at = std::source_location::current()) {
    return enqueue(NamedComponents(vals), options, at);
  }
  // Of one component.
  template <class T>
  requires(std::convertible_to<const T&, Input> && !std::convertible_to<const T&, Inputs> &&
           !std::convertible_to<const T&, NamedComponents>)
      Node& enqueue(const T& value, const QueueOpOptions& options = {},
                    std::source_location at = std::source_location::current()) {
    return enqueue(Inputs{Input(value)}, options, at);
  }
  // The rows of `vals` as elements, which all have equally many. They go in one by one: other
  // enqueues may come between when there is too little room.
  Node& enqueue_many(const Inputs& vals, const QueueOpOptions& options = {},
                     std::source_location at = std::source_location::current());
  Node& enqueue_many(const NamedComponents& vals, const QueueOpOptions& options = {},
                     std::source_location at = std::source_location::current());
  Node& enqueue_many(std::initializer_list<std::pair<std::string, Input>> vals,
                     const QueueOpOptions& options = {},
                     std::source_location at = std::source_location::current()) {
    return enqueue_many(NamedComponents(vals), options, at);
  }

  // Takes one element: its components in the queue's order, also when they have names.
  std::vector<Output> dequeue(const QueueOpOptions& options = {},
                              std::source_location at = std::source_location::current());
  // n elements, each component stacked along a new first dimension. With dequeue_up_to the rest, at
  // least one, once the queue is closed. The step fails with InvalidArgument where the queue was
  // made without shapes, since elements of unknown shape cannot be stacked.
  std::vector<Output> dequeue_many(const Input& n, const QueueOpOptions& options = {},
                                   std::source_location at = std::source_location::current());
  std::vector<Output> dequeue_up_to(const Input& n, const QueueOpOptions& options = {},
                                    std::source_location at = std::source_location::current());

  // What is in the queue can still be taken. To close twice fails with Cancelled.
  Node& close(const CloseOptions& options = {},
              std::source_location at = std::source_location::current());
  Output is_closed(const QueueOpOptions& options = {},
                   std::source_location at = std::source_location::current());
  // Elements, as an int32 scalar; by the time it is read there may be more or fewer.
  Output size(const QueueOpOptions& options = {},
              std::source_location at = std::source_location::current());

 private:
  std::vector<Input> in_order(const NamedComponents& vals) const;
  std::vector<Output> components(const Inputs& vals) const;
  std::vector<Output> take_many(const char* op, const char* suffix, bool exactly, const Input& n,
                                const QueueOpOptions& options, std::source_location at);
  // "QueueSizeV2", or "QueueSize" for a queue of older graphs.
  std::string op_name(const char* op) const;
  std::string name_or(const std::string& name, const char* suffix) const;

  std::vector<DType> dtypes_;
  std::vector<PartialShape> shapes_;
  std::vector<std::string> names_;
  Output queue_ref_;
  std::string name_;  // the last part of the node's
};

// names: then elements are put in by name. shared_name: queues of one name are one, and must agree
// in kind, capacity, types and shapes, or the step fails with InvalidArgument.
struct QueueOptions {
  std::vector<PartialShape> shapes = {};  // fully known, one for each component, or none
  std::vector<std::string> names = {};
  std::string shared_name = {};
  std::string name = {};
};

// Elements leave in the order in which they came. A negative capacity is no limit. The node is
// placed on the CPU whatever the device scope says.
class FIFOQueue : public QueueBase {
 public:
  FIFOQueue(std::int64_t capacity, const std::vector<DType>& dtypes,
            const QueueOptions& options = {},
            std::source_location at = std::source_location::current());
};

// The same for elements whose shapes vary in dimensions that `shapes` leaves open: those that are
// taken together are padded with zeros (or "", false) to the largest of them. Ranks must be known.
class PaddingFIFOQueue : public QueueBase {
 public:
  PaddingFIFOQueue(std::int64_t capacity, const std::vector<DType>& dtypes,
                   const std::vector<PartialShape>& shapes, const QueueOptions& options = {},
                   std::source_location at = std::source_location::current());
};

// The element with the least first component, an int64 that `types` does not mention, comes first.
// That scalar is a component of what is put in and of what is taken.
class PriorityQueue : public QueueBase {
 public:
  PriorityQueue(std::int64_t capacity, const std::vector<DType>& types,
                const QueueOptions& options = {},
                std::source_location at = std::source_location::current());
};

// seed: as of random ops, with the graph's. A queue with a shared_name and none of its own derives
// one from the name, so that all who share it shuffle alike.
struct RandomShuffleQueueOptions {
  std::vector<PartialShape> shapes = {};  // fully known, one for each component, or none
  std::vector<std::string> names = {};
  std::string shared_name = {};
  std::string name = {};
  std::optional<std::int64_t> seed = {};

  operator QueueOptions() const {
    return {.shapes = shapes, .names = names, .shared_name = shared_name, .name = name};
  }
};
// Elements leave in random order; `min_after_dequeue` stay behind until the queue is closed, so
// that there is always something to mix with. It must be below capacity.
class RandomShuffleQueue : public QueueBase {
 public:
  RandomShuffleQueue(std::int64_t capacity, std::int64_t min_after_dequeue,
                     const std::vector<DType>& dtypes,
                     const RandomShuffleQueueOptions& options = {},
                     std::source_location at = std::source_location::current());
};

}  // namespace rill::queue

namespace rill {
using queue::FIFOQueue;
using queue::PaddingFIFOQueue;
using queue::PriorityQueue;
using queue::QueueBase;
using queue::RandomShuffleQueue;
}  // namespace rill
