#pragma once

#include <cstdint>
#include <source_location>
#include <string>
#include <vector>

#include "rill/api/queue/queues.h"

namespace rill {

struct BarrierOptions {
  std::vector<PartialShape> shapes = {};  // of the components; open where not given
  std::string shared_name;
  std::string name = "barrier";
};
struct TakeManyOptions {
  bool allow_small_batch = false;
  bool wait_for_incomplete = false;
  std::int64_t timeout_ms = -1;
  std::string name;
};

// Elements whose components come apart, known by a key; they leave once they are complete.
class Barrier {
 public:
  explicit Barrier(const std::vector<DType>& types, const BarrierOptions& options = {},
                   std::source_location at = std::source_location::current());

  Output barrier_ref() const { return ref_; }
  const std::string& name() const { return ref_.node->name(); }
  const std::vector<DType>& types() const { return types_; }

  Node& insert_many(std::int64_t component_index, const Input& keys, const Input& values,
                    const queue::QueueOpOptions& options = {},
                    std::source_location at = std::source_location::current());
  // The node's outputs are indices, keys and the components.
  Node& take_many(const Input& num_elements, const TakeManyOptions& options = {},
                  std::source_location at = std::source_location::current());
  Node& close(const queue::CloseOptions& options = {},
              std::source_location at = std::source_location::current());
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
