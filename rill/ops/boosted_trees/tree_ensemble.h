#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rill/tensor/resource_handle.h"

namespace rill {

// A leaf's values, one for each logit.
struct TreeLeaf {
  std::vector<float> values;
  bool is_scalar = false;  // how a message writes it
};

enum class SplitKind : std::uint8_t { kLeaf, kBucketized, kCategorical };

// A node of a decision tree. What goes left: bucketized, buckets up to `threshold`; categorical,
// the bucket that is equal to it.
struct TreeNode {
  SplitKind kind = SplitKind::kLeaf;
  std::int32_t feature = 0, threshold = 0, dimension = 0, left = 0, right = 0;
  bool missing_goes_left = false;
  TreeLeaf leaf = {};
  std::optional<float> gain = {};
  std::optional<TreeLeaf> original_leaf = {};  // what it was before it was split

  bool is_leaf() const { return kind == SplitKind::kLeaf; }
};

// Where a node went when the tree was pruned, and what that changes in the logits of its examples.
struct PrunedNode {
  std::int32_t new_id = 0;
  std::vector<float> change;
};

struct BoostedTree {
  std::vector<TreeNode> nodes;
  float weight = 1;
  std::int32_t layers_grown = 0;
  bool is_finalized = false;
  std::vector<PrunedNode> pruned;
};

// The best way to split a node.
struct TreeSplit {
  std::int32_t node = 0, feature = 0, threshold = 0, dimension = 0;
  float gain = 0;
  SplitKind kind = SplitKind::kBucketized;
  bool missing_goes_left = false;
  std::vector<float> left, right;  // what the children add to the logits
};

enum class Pruning : std::uint8_t { kNone = 0, kBefore = 1, kAfter = 2 };

// Trees that grow layer by layer. Once there are any, the last is the one that grows, at first of a
// single leaf.
struct BoostedTrees {
  std::vector<BoostedTree> trees;
  std::int64_t trees_attempted = 0, layers_attempted = 0;
  std::int32_t last_layer_begin = 0, last_layer_end = 0;
  bool has_growing = false;  // a message has the four above

  BoostedTree& add_tree(std::vector<float> logits);
  // A layer of `splits`, by node; contributions are scaled already.
  void grow(const std::vector<TreeSplit>& splits, std::int32_t max_depth, Pruning pruning,
            std::int64_t logits_dimension);
  // Adds to the root of the first tree; false once that changed it by less than a hundredth.
  bool center_bias(const std::vector<float>& logits);

  // The message TreeEnsemble. `parse` throws InvalidArgument for bytes that are none, and for trees
  // with nodes that point nowhere or in a circle.
  std::string serialize() const;
  static BoostedTrees parse(std::string_view bytes);
};

// The value of a leaf, or what a split node's was.
const TreeLeaf& value_of(const TreeNode& node);

// The message DebugOutput.
std::string tree_debug_message(const std::vector<std::int32_t>& features,
                               const std::vector<float>& logits);

// Boosted trees that live from step to step.
class TreeEnsembleResource : public Resource {
 public:
  static constexpr const char* kTypeName = "tensorflow::BoostedTreesEnsembleResource";
  explicit TreeEnsembleResource(std::string name) : name_(std::move(name)) {}
  std::string describe() const override { return "tree ensemble " + name_; }
  const std::string& name() const { return name_; }

  // The following are for who holds the lock.
  std::mutex mutex;
  bool is_initialized = false;
  std::int64_t stamp = -1;
  BoostedTrees trees;

 private:
  const std::string name_;
};

}  // namespace rill
