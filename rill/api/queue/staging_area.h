#pragma once

#include <cstdint>
#include <source_location>
#include <string>
#include <vector>

#include "rill/api/queue/queues.h"

namespace rill {

// shared_name: areas of one name are one; "" gives it a name of its own.
struct StagingAreaOptions {
  std::vector<PartialShape> shapes = {};
  std::vector<std::string> names = {};
  std::string shared_name = {};
  std::int64_t capacity = 0;      // elements; 0: any number
  std::int64_t memory_limit = 0;  // bytes; 0: any number
};

// Elements on their way from one device to another: what is put in one step is got in the next, so
// that copying and computing overlap.
//
//   StagingArea area({DType::f32});
//   Node& put = area.put({next_batch});
//   std::vector<Output> batch = area.get();
//
// The area is where the constructor's device scope says; a get on another device copies. A put
// waits while the area is full, a get or peek until there is an element. An element larger than
// memory_limit fails the step with ResourceExhausted.
class StagingArea {
 public:
  // Throws InvalidArgument unless shapes and names are one for each dtype, or none.
  explicit StagingArea(const std::vector<DType>& dtypes, const StagingAreaOptions& options = {},
                       std::source_location at = std::source_location::current());

  const std::string& name() const { return name_; }
  const std::vector<DType>& dtypes() const { return dtypes_; }
  const StagingAreaOptions& options() const { return options_; }
  Node& place() const { return *place_; }  // where its elements are

  // An area with names takes NamedComponents only, one without takes lists only. Throw
  // InvalidArgument where the number of values, their types or shapes do not fit.
  Node& put(const Inputs& values, const queue::QueueOpOptions& options = {},
            std::source_location at = std::source_location::current()) const;
  Node& put(const queue::NamedComponents& values, const queue::QueueOpOptions& options = {},
            std::source_location at = std::source_location::current()) const;
  Node& put(std::initializer_list<std::pair<std::string, Input>> values,
            const queue::QueueOpOptions& options = {},
            std::source_location at = std::source_location::current()) {
    return put(queue::NamedComponents(values), options, at);
  }
  // The oldest element, which leaves the area.
  std::vector<Output> get(const queue::QueueOpOptions& options = {},
                          std::source_location at = std::source_location::current()) const;
  // The element at `index`, counted from the oldest, which stays.
  std::vector<Output> peek(const Input& index, const queue::QueueOpOptions& options = {},
                           std::source_location at = std::source_location::current()) const;
  Output size(const queue::QueueOpOptions& options = {},
              std::source_location at = std::source_location::current()) const;
  Node& clear(const queue::QueueOpOptions& options = {},
              std::source_location at = std::source_location::current()) const;

 private:
  AttrMap attrs(bool with_dtypes) const;
  std::string name_or(const std::string& name, const char* suffix) const;
  Node& put_in_order(const Inputs& values, const queue::QueueOpOptions& options,
                     std::source_location at) const;
  std::vector<Output> taken(Node& node) const;

  std::vector<DType> dtypes_;
  StagingAreaOptions options_;
  std::string name_;
  NodePtr place_;
};

}  // namespace rill
