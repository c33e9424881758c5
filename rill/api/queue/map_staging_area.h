#pragma once

#include <optional>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

#include "rill/api/queue/staging_area.h"

namespace rill {

struct MapStagingAreaOptions {
  std::vector<PartialShape> shapes = {};
  std::vector<std::string> names = {};
  std::string shared_name = {};
  std::int64_t capacity = 0;      // elements; 0: any number
  std::int64_t memory_limit = 0;  // bytes; 0: any number
  bool ordered = false;           // the least key comes first where none is named

  operator StagingAreaOptions() const {
    return {.shapes = shapes,
            .names = names,
            .shared_name = shared_name,
            .capacity = capacity,
            .memory_limit = memory_limit};
  }
};

// Elements under int64 keys, on their way from one device to another. An element is complete when
// all its components have been put; they may come one by one. An element of a key that is complete
// already is dropped: the first one stays.
//
//   MapStagingArea area({DType::f32, DType::f32});
//   area.put(key, {x, y}, {0, 1});
//   std::vector<Output> both = area.get(key);
//
// A put waits while the area is full, a get until there is an element.
class MapStagingArea {
 public:
  // Throws InvalidArgument unless shapes and names are one for each dtype, or none.
  explicit MapStagingArea(const std::vector<DType>& dtypes,
                          const MapStagingAreaOptions& options = {},
                          std::source_location at = std::source_location::current());

  const std::string& name() const { return name_; }
  const std::vector<DType>& dtypes() const { return dtypes_; }
  const MapStagingAreaOptions& options() const { return options_; }
  Node& place() const { return *place_; }
  // The positions of components by their names. Throws InvalidArgument for others.
  std::vector<std::int64_t> indices_of(const std::vector<std::string>& names) const;

  // `indices` says which components `values` are, in ascending order. Throws InvalidArgument where
  // they do not fit; the step fails with it where a component of the key was put before.
  Node& put(const Input& key, const Inputs& values, const std::vector<std::int64_t>& indices,
            const queue::QueueOpOptions& options = {},
            std::source_location at = std::source_location::current()) const;
  // The components at `indices`, all when absent, which leave the area, or stay with peek. What is
  // not asked for stays. Throws InvalidArgument for an empty list and for indices that are not
  // there.
  std::vector<Output> get(const Input& key,
                          const std::optional<std::vector<std::int64_t>>& indices = {},
                          const queue::QueueOpOptions& options = {},
                          std::source_location at = std::source_location::current()) const;
  std::vector<Output> peek(const Input& key,
                           const std::optional<std::vector<std::int64_t>>& indices = {},
                           const queue::QueueOpOptions& options = {},
                           std::source_location at = std::source_location::current()) const;
  // Of any element; and its key.
  std::pair<Output, std::vector<Output>> get_any(
      const std::optional<std::vector<std::int64_t>>& indices = {},
      const queue::QueueOpOptions& options = {},
      std::source_location at = std::source_location::current()) const;
  Output size(const queue::QueueOpOptions& options = {},
              std::source_location at = std::source_location::current()) const;
  // Elements that lack a component.
  Output incomplete_size(const queue::QueueOpOptions& options = {},
                         std::source_location at = std::source_location::current()) const;
  // Drops all elements, complete or not.
  Node& clear(const queue::QueueOpOptions& options = {},
              std::source_location at = std::source_location::current()) const;

 private:
  std::string op(const char* what) const;
  AttrMap attrs(const std::vector<DType>& dtypes) const;
  std::string name_or(const std::string& name, const char* suffix) const;
  std::vector<std::int64_t> checked(const std::optional<std::vector<std::int64_t>>& indices) const;
  std::vector<Output> here_from_there(std::vector<Output> tensors) const;
  Node& take(const char* what, const char* suffix, const Input* key,
             const std::vector<std::int64_t>& indices, const queue::QueueOpOptions& options) const;
  std::vector<Output> shaped(std::vector<Output> tensors,
                             const std::vector<std::int64_t>& indices) const;

  std::vector<DType> dtypes_;
  MapStagingAreaOptions options_;
  std::string name_;
  NodePtr place_;
};

}  // namespace rill
