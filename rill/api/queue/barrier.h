#pragma once

#include <cstdint>
#include <source_location>
#include <string>
#include <vector>

#include "rill/api/queue/queues.h"

namespace rill {

struct BarrierOptions {
  std::vector<PartialShape> shapes = {};  // of the components; open where not given
  std::string shared_name = {};
  std::string name = "barrier";
};
// allow_small_batch: once the barrier is closed, fewer elements will do. wait_for_incomplete: then
// those that are not complete yet are waited for. timeout_ms: only -1, for ever; the step fails
// with InvalidArgument for others, as in TensorFlow.
struct TakeManyOptions {
  bool allow_small_batch = false;
  bool wait_for_incomplete = false;
  std::int64_t timeout_ms = -1;
  std::string name = {};
};

// Elements whose components come apart, known by a key; they leave once they are complete, in the
// order in which their keys came.
//
//   Barrier barrier({DType::f32, DType::string});
//   barrier.insert_many(0, keys, numbers);  // perhaps in one step,
//   barrier.insert_many(1, keys, words);    // and in another
//   Node& pairs = barrier.take_many(8);
class Barrier {
 public:
  // Throws InvalidArgument when shapes are given and are not one for each type, are not fully known
  // or have no elements.
  explicit Barrier(const std::vector<DType>& types, const BarrierOptions& options = {},
                   std::source_location at = std::source_location::current());

  Output barrier_ref() const { return ref_; }
  const std::string& name() const { return ref_.node->name(); }
  const std::vector<DType>& types() const { return types_; }

  // Gives each key, a vector of strings, a row of `values` as its component. The step fails with
  // InvalidArgument where a key has that component already, and with Cancelled for new keys of a
  // closed barrier.
  Node& insert_many(std::int64_t component_index, const Input& keys, const Input& values,
                    const queue::QueueOpOptions& options = {},
                    std::source_location at = std::source_location::current());
  // Takes complete elements; waits until there are num_elements. The node's outputs are indices
  // (which insertion brought the key, from -2**63 on), keys and the components. Fails with
  // OutOfRange once the barrier is closed and can no longer have so many.
  Node& take_many(const Input& num_elements, const TakeManyOptions& options = {},
                  std::source_location at = std::source_location::current());
  // No new keys after that; incomplete elements may be completed, unless cancel_pending_enqueues,
  // which drops them. A second close fails with Cancelled.
  Node& close(const queue::CloseOptions& options = {},
              std::source_location at = std::source_location::current());
  // Complete elements, and those that lack a component, as int32 scalars.
  Output ready_size(const queue::QueueOpOptions& options = {},
                    std::source_location at = std::source_location::current());
  Output incomplete_size(const queue::QueueOpOptions& options = {},
                         std::source_location at = std::source_location::current());

 private:
  std::string name_or(const std::string& name, const char* suffix) const;

  std::vector<DType> types_;
  std::vector<PartialShape> shapes_;
  Output ref_;
  std::string name_;  // the last part of the node's
};

}  // namespace rill
