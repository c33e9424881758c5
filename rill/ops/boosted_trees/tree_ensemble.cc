#include "rill/ops/boosted_trees/tree_ensemble.h"

#include <algorithm>
#include <cmath>
#include <ranges>
#include <utility>

#include "rill/base/error.h"

namespace rill {
namespace {

bool any_not_zero(const TreeLeaf& leaf) {
  return std::ranges::any_of(leaf.values, [](float value) { return value != 0; });
}

TreeNode leaf_node(std::vector<float> values) {
  TreeNode node;
  node.leaf = {std::move(values), false};
  node.leaf.is_scalar = node.leaf.values.size() == 1;
  return node;
}

// What a child's leaf holds: its parent's value and what the split adds.
TreeNode child(const TreeNode& parent, const std::vector<float>& contribution) {
  std::vector<float> values = contribution;
  if (parent.original_leaf)
    for (std::size_t i = 0; i < std::min(values.size(), parent.original_leaf->values.size()); ++i)
      values[i] += parent.original_leaf->values[i];
  return leaf_node(std::move(values));
}

void split_node(BoostedTree& tree, const TreeSplit& split) {
  const auto id = static_cast<std::size_t>(split.node);
  TreeNode node = std::move(tree.nodes[id]);
  // The first leaf of a tree holds nothing, except for a bias.
  if (id != 0 || any_not_zero(node.leaf)) node.original_leaf = std::exchange(node.leaf, {});
  node.leaf = {};
  node.kind = split.kind;
  node.feature = split.feature;
  node.threshold = split.threshold;
  node.dimension = split.dimension;
  node.missing_goes_left = split.missing_goes_left;
  node.gain = split.gain;
  node.left = static_cast<std::int32_t>(tree.nodes.size());
  node.right = node.left + 1;
  tree.nodes.push_back(child(node, split.left));
  tree.nodes.push_back(child(node, split.right));
  tree.nodes[id] = std::move(node);
}

// Turns splits with a negative gain whose children are leaves into leaves again, from the last node
// back: children stand behind their parents. Examples of a child that goes are now its parent's.
class Pruner {
 public:
  Pruner(BoostedTree& tree, std::int64_t logits) : tree_(tree), logits_(logits) {
    for (std::size_t i = 0; i < tree.nodes.size(); ++i)
      moved_.push_back({static_cast<std::int32_t>(i), std::vector<float>(width())});
  }

  void prune() {
    for (std::size_t i = tree_.nodes.size(); i-- > 0;) visit(i);
    if (gone_.empty()) return;
    resolve();
    compact();
  }

 private:
  std::size_t width() const { return static_cast<std::size_t>(logits_); }

  void visit(std::size_t id) {
    TreeNode& node = tree_.nodes[id];
    if (node.is_leaf() || node.gain.value_or(0) >= 0) return;
    const auto left = static_cast<std::size_t>(node.left),
               right = static_cast<std::size_t>(node.right);
    if (!tree_.nodes[left].is_leaf() || !tree_.nodes[right].is_leaf()) return;
    TreeNode leaf =
        leaf_node(node.original_leaf ? node.original_leaf->values : std::vector<float>(width()));
    for (const std::size_t gone : {left, right}) {
      moved_[gone].new_id = static_cast<std::int32_t>(id);
      for (std::size_t i = 0; i < width(); ++i)
        moved_[gone].change[i] = leaf.leaf.values[i] - tree_.nodes[gone].leaf.values[i];
      gone_.push_back(gone);
    }
    tree_.nodes[id] = std::move(leaf);
  }

  // A node may have gone into one that went, too; parents come first.
  void resolve() {
    for (std::size_t i = 0; i < moved_.size(); ++i) {
      const auto into = static_cast<std::size_t>(moved_[i].new_id);
      if (into == i) continue;
      for (std::size_t d = 0; d < width(); ++d) moved_[i].change[d] += moved_[into].change[d];
      moved_[i].new_id = moved_[into].new_id;
    }
  }

  void compact() {
    std::vector<bool> stays(tree_.nodes.size(), true);
    for (const std::size_t id : gone_) stays[id] = false;
    std::vector<std::int32_t> new_ids(stays.size());
    std::vector<TreeNode> nodes;
    for (std::size_t i = 0; i < stays.size(); ++i) {
      new_ids[i] = static_cast<std::int32_t>(nodes.size());
      if (stays[i]) nodes.push_back(std::move(tree_.nodes[i]));
    }
    for (TreeNode& node : nodes) {
      if (node.is_leaf()) continue;
      node.left = new_ids[static_cast<std::size_t>(node.left)];
      node.right = new_ids[static_cast<std::size_t>(node.right)];
    }
    for (PrunedNode& moved : moved_) moved.new_id = new_ids[static_cast<std::size_t>(moved.new_id)];
    tree_.nodes = std::move(nodes);
    tree_.pruned = std::move(moved_);
  }

  BoostedTree& tree_;
  const std::int64_t logits_;
  std::vector<PrunedNode> moved_;
  std::vector<std::size_t> gone_;
};

}  // namespace

const TreeLeaf& value_of(const TreeNode& node) {
  static const TreeLeaf kNothing;
  if (node.is_leaf()) return node.leaf;
  return node.original_leaf ? *node.original_leaf : kNothing;
}

BoostedTree& BoostedTrees::add_tree(std::vector<float> logits) {
  BoostedTree& tree = trees.emplace_back();
  tree.nodes.push_back(leaf_node(std::move(logits)));
  return tree;
}

void BoostedTrees::grow(const std::vector<TreeSplit>& splits, std::int32_t max_depth,
                        Pruning pruning, std::int64_t logits_dimension) {
  const std::vector<float> zeros(static_cast<std::size_t>(logits_dimension));
  has_growing = true;
  ++layers_attempted;
  const bool is_first_layer =
      trees.empty() || (trees.back().nodes.size() == 1 &&
                        (trees.size() <= 2 || trees[trees.size() - 2].is_finalized));
  if (is_first_layer) ++trees_attempted;
  if (trees.empty() || trees.back().is_finalized) add_tree(zeros);
  BoostedTree& tree = trees.back();
  const auto begin = static_cast<std::int32_t>(tree.nodes.size());
  for (const TreeSplit& split : splits)
    if (pruning != Pruning::kBefore || !(split.gain < 0)) split_node(tree, split);
  const auto end = static_cast<std::int32_t>(tree.nodes.size());
  if (begin == end) return;
  last_layer_begin = begin;
  last_layer_end = end;
  if (++tree.layers_grown < max_depth) return;
  tree.is_finalized = true;
  if (pruning == Pruning::kAfter) Pruner(tree, logits_dimension).prune();
  add_tree(zeros);
  last_layer_begin = 0;
  last_layer_end = 1;
}

bool BoostedTrees::center_bias(const std::vector<float>& logits) {
  constexpr float kSmall = 0.01F;
  if (trees.empty()) {
    add_tree(logits);
    return true;
  }
  require(trees[0].nodes[0].is_leaf(), "The bias cannot be centered once trees have grown.");
  TreeLeaf& root = trees[0].nodes[0].leaf;
  root.values.resize(logits.size());
  bool goes_on = false;
  for (std::size_t i = 0; i < logits.size(); ++i) {
    goes_on |= std::fabs(logits[i] / root.values[i]) > kSmall;
    root.values[i] += logits[i];
  }
  return goes_on;
}

}  // namespace rill
