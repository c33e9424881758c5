#pragma once

#include <cstdint>
#include <source_location>
#include <string>
#include <vector>

#include "rill/api/queue/queues.h"

namespace rill {

struct StagingAreaOptions {
  std::vector<PartialShape> shapes = {};
  std::vector<std::string> names = {};
  std::string shared_name;
  std::int64_t capacity = 0;      // elements; 0: any number
  std::int64_t memory_limit = 0;  // bytes; 0: any number
};

// Elements on their way from one device to another: what is put in one step is got in the next.
class StagingArea {
 public:
  explicit StagingArea(const std::vector<DType>& dtypes, const StagingAreaOptions& options = {},
                       std::source_location at = std::source_location::current());

  const std::string& name() const { return name_; }
  const std::vector<DType>& dtypes() const { return dtypes_; }
  const StagingAreaOptions& options() const { return options_; }
  Node& place() const { return *place_; }  // where its elements are

  // Throw InvalidArgument where the number of values, their types or shapes do not fit.
  Node& put(const std::vector<Input>& values, const queue::QueueOpOptions& options = {},
            std::source_location at = std::source_location::current()) const;
  Node& put(const queue::NamedComponents& values, const queue::QueueOpOptions& options = {},
            std::source_location at = std::source_location::current()) const;
  std::vector<Output> get(const queue::QueueOpOptions& options = {},
                          std::source_location at = std::source_location::current()) const;
  std::vector<Output> peek(const Input& index, const queue::QueueOpOptions& options = {},
                           std::source_location at = std::source_location::current()) const;
  Output size(const queue::QueueOpOptions& options = {},
              std::source_location at = std::source_location::current()) const;
  Node& clear(const queue::QueueOpOptions& options = {},
              std::source_location at = std::source_location::current()) const;

 private:
  AttrMap attrs(bool with_dtypes) const;
  std::string name_or(const std::string& name, const char* suffix) const;
  Node& put_in_order(const std::vector<Input>& values, const queue::QueueOpOptions& options,
                     std::source_location at) const;
  std::vector<Output> taken(Node& node) const;

  std::vector<DType> dtypes_;
  StagingAreaOptions options_;
  std::string name_;
  Node* place_;
};

}  // namespace rill
