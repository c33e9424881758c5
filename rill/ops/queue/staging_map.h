#pragma once

#include <algorithm>
#include <map>
#include <unordered_map>
#include <vector>

#include "rill/ops/queue/staging_room.h"

namespace rill {

// A staging area whose elements have keys. The values of an element may come and go in parts: it is
// complete once all have come, and gone once all are. Unordered ones give out keys in the order
// that TensorFlow's table, which is the same container, has.
template <class Elements>
class StagingMap : public StagingRoom {
 public:
  explicit StagingMap(const KernelNode& node)
      : StagingRoom(node), part_count_(node.attr<std::vector<DType>>("dtypes").size()) {}

  std::size_t part_count() const { return part_count_; }
  std::int64_t incomplete_size() const {
    const std::lock_guard lock(mutex_);
    return static_cast<std::int64_t>(incomplete_.size());
  }

  // These are for attempts. Indices are strictly ascending and below part_count().
  bool put(std::int64_t key, const std::vector<std::size_t>& indices, const Tuple& parts) {
    const std::int64_t bytes = rill::memory_bytes(parts);
    const auto it = incomplete_.find(key);
    const bool begins = it == incomplete_.end();
    if (begins && !has_room(bytes)) return false;
    Tuple element = begins ? Tuple(part_count_) : it->second;
    for (std::size_t i = 0; i < indices.size(); ++i) {
      Tensor& part = element[indices[i]];
      require(!part.has_value(), "The tensor for index '", indices[i], "' for key '", key,
              "' was already initialized '", part_count_, "'.");
      part = parts[i];
    }
    bytes_ += bytes;
    if (!std::ranges::all_of(element, &Tensor::has_value)) {
      incomplete_.insert_or_assign(key, std::move(element));
      return true;
    }
    incomplete_.erase(key);
    const std::int64_t whole = rill::memory_bytes(element);
    if (!complete_.emplace(key, std::move(element)).second) bytes_ -= whole;  // the first one stays
    return true;
  }
  bool get(std::int64_t key, const std::vector<std::size_t>& indices, bool removes, Tuple& parts) {
    const auto it = complete_.find(key);
    return it != complete_.end() && get(it, indices, removes, parts);
  }
  bool get_any(const std::vector<std::size_t>& indices, std::int64_t& key, Tuple& parts) {
    const auto it = complete_.begin();
    if (it == complete_.end()) return false;
    key = it->first;
    return get(it, indices, true, parts);
  }

 private:
  bool get(typename Elements::iterator it, const std::vector<std::size_t>& indices, bool removes,
           Tuple& parts) {
    Tuple& element = it->second;
    for (const std::size_t index : indices) {
      require(element[index].has_value(), "Tensor at index '", index, "' for key '", it->first,
              "' has already been removed.");
      parts.push_back(element[index]);
    }
    if (!removes) return true;
    for (const std::size_t index : indices) element[index] = Tensor();
    bytes_ -= rill::memory_bytes(parts);
    if (std::ranges::none_of(element, &Tensor::has_value)) complete_.erase(it);
    return true;
  }
  std::int64_t count() const override { return static_cast<std::int64_t>(complete_.size()); }
  void drop_all() override {
    complete_.clear();
    incomplete_.clear();
  }

  const std::size_t part_count_;
  Elements complete_, incomplete_;
};

class UnorderedStaging final : public StagingMap<std::unordered_map<std::int64_t, Tuple>> {
 public:
  static constexpr const char* kTypeName = "tensorflow::StagingMap";
  using StagingMap::StagingMap;
};

class OrderedStaging final : public StagingMap<std::map<std::int64_t, Tuple>> {
 public:
  static constexpr const char* kTypeName = "tensorflow::OrderedStagingMap";
  using StagingMap::StagingMap;
};

}  // namespace rill
