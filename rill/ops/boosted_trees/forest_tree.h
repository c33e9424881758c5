#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "rill/tensor/resource_handle.h"

namespace rill {

// A node of a tree over plain numbers: what is at most `threshold` goes left, all else, NaN too,
// right.
struct ForestNode {
  bool is_leaf = true;
  std::int32_t feature = 0, left = 0, right = 0;
  float threshold = 0;
  std::vector<float> values = {};  // of a leaf
};

// Throws InvalidArgument for bytes that are no Tree message, other splits than by plain numbers and
// nodes that point nowhere or in a circle.
std::vector<ForestNode> parse_forest_tree(std::string_view bytes);

class ForestTree : public Resource {
 public:
  static constexpr const char* kTypeName = "tensorflow::TensorForestTreeResource";
  explicit ForestTree(std::string name) : name_(std::move(name)) {}
  std::string describe() const override { return "forest tree " + name_; }
  const std::string& name() const { return name_; }

  // The following are for who holds the lock.
  std::mutex mutex;
  bool is_initialized = false;
  std::string message;  // what it was made of
  std::vector<ForestNode> nodes;

 private:
  const std::string name_;
};

}  // namespace rill
