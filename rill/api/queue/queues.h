#pragma once

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
  std::string name;
};
struct CloseOptions {
  bool cancel_pending_enqueues = false;
  std::string name;
};

// A queue of elements, each a list of tensors. Methods throw InvalidArgument where values cannot
// fit, and TypeError where their types do not.
class QueueBase {
 public:
  // `shapes`: one for each component, or none at all; `names` likewise.
  QueueBase(std::vector<DType> dtypes, std::vector<PartialShape> shapes,
            std::vector<std::string> names, Output queue_ref);

  const std::vector<DType>& dtypes() const { return dtypes_; }
  const std::vector<PartialShape>& shapes() const { return shapes_; }
  const std::vector<std::string>& names() const { return names_; }
  const std::string& name() const { return queue_ref_.node->name(); }
  Output queue_ref() const { return queue_ref_; }

  // The queue that stands at position `index` of `queues`.
  static QueueBase from_list(const Input& index, const std::vector<QueueBase>& queues,
                             std::source_location at = std::source_location::current());

  Node& enqueue(const std::vector<Input>& vals, const QueueOpOptions& options = {},
                std::source_location at = std::source_location::current());
  Node& enqueue(const NamedComponents& vals, const QueueOpOptions& options = {},
                std::source_location at = std::source_location::current());
  // The rows of `vals` as elements.
  Node& enqueue_many(const std::vector<Input>& vals, const QueueOpOptions& options = {},
                     std::source_location at = std::source_location::current());
  Node& enqueue_many(const NamedComponents& vals, const QueueOpOptions& options = {},
                     std::source_location at = std::source_location::current());

  std::vector<Output> dequeue(const QueueOpOptions& options = {},
                              std::source_location at = std::source_location::current());
  // n elements, stacked; fewer, once the queue is closed, with dequeue_up_to.
  std::vector<Output> dequeue_many(const Input& n, const QueueOpOptions& options = {},
                                   std::source_location at = std::source_location::current());
  std::vector<Output> dequeue_up_to(const Input& n, const QueueOpOptions& options = {},
                                    std::source_location at = std::source_location::current());

  Node& close(const CloseOptions& options = {},
              std::source_location at = std::source_location::current());
  Output is_closed(const QueueOpOptions& options = {},
                   std::source_location at = std::source_location::current());
  Output size(const QueueOpOptions& options = {},
              std::source_location at = std::source_location::current());

 private:
  std::vector<Input> in_order(const NamedComponents& vals) const;
  std::vector<Output> components(const std::vector<Input>& vals) const;
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

struct QueueOptions {
  std::vector<PartialShape> shapes = {};  // fully known, one for each component, or none
  std::vector<std::string> names = {};
  std::string shared_name;
  std::string name;
};

// Elements leave in the order in which they came.
class FIFOQueue : public QueueBase {
 public:
  FIFOQueue(std::int64_t capacity, const std::vector<DType>& dtypes,
            const QueueOptions& options = {},
            std::source_location at = std::source_location::current());
};

// The same for elements whose shapes vary in dimensions that `shapes` leaves open: those that are
// taken together are padded with zeros.
class PaddingFIFOQueue : public QueueBase {
 public:
  PaddingFIFOQueue(std::int64_t capacity, const std::vector<DType>& dtypes,
                   const std::vector<PartialShape>& shapes, const QueueOptions& options = {},
                   std::source_location at = std::source_location::current());
};

// The element with the least first component, an int64 that `types` does not mention, comes first.
class PriorityQueue : public QueueBase {
 public:
  PriorityQueue(std::int64_t capacity, const std::vector<DType>& types,
                const QueueOptions& options = {},
                std::source_location at = std::source_location::current());
};

struct RandomShuffleQueueOptions : QueueOptions {
  std::optional<std::int64_t> seed = {};
};
// Elements leave in random order; `min_after_dequeue` stay behind until the queue is closed.
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
