#include <algorithm>
#include <cstring>
#include <vector>

#include "rill/ops/boosted_trees/initialized_resource.h"
#include "rill/ops/boosted_trees/tree_ensemble.h"

namespace rill {

extern const OpDecl kBoostedTreesPredict, kBoostedTreesTrainingPredict,
    kBoostedTreesExampleDebugOutputs;

namespace {

using Ensemble = Locked<TreeEnsembleResource>;

// The buckets of examples, one list for each feature.
class Buckets {
 public:
  Buckets(const KernelCall& call, int first) {
    for (int i = first; i < call.input_count(); ++i) {
      const Tensor& feature = call.input_tensor(i);
      const auto width = feature.rank() == 2 ? feature.dim(1) : 1;
      columns_.push_back({feature.flat<std::int32_t>().data(), static_cast<std::size_t>(width)});
      rows_ = static_cast<std::size_t>(feature.dim(0));
    }
  }
  std::size_t rows() const { return rows_; }

  // Throws InvalidArgument for trees that ask for features that there are not.
  void check(const BoostedTrees& all) const {
    for (const BoostedTree& tree : all.trees)
      for (const TreeNode& node : tree.nodes)
        require(node.is_leaf() || (static_cast<std::size_t>(node.feature) < columns_.size() &&
                                   static_cast<std::size_t>(node.dimension) <
                                       columns_[static_cast<std::size_t>(node.feature)].width),
                "A tree splits by dimension ", node.dimension, " of feature ", node.feature,
                ", but there are ", columns_.size(), " features.");
  }

  std::size_t next(const TreeNode& node, std::size_t row) const {
    const Column& column = columns_[static_cast<std::size_t>(node.feature)];
    const std::int32_t bucket =
        column.values[row * column.width + static_cast<std::size_t>(node.dimension)];
    bool left = bucket <= node.threshold;
    if (node.kind == SplitKind::kCategorical)
      left = bucket == node.threshold;
    else if (bucket == -1)
      left = node.missing_goes_left;
    return static_cast<std::size_t>(left ? node.left : node.right);
  }

 private:
  struct Column {
    const std::int32_t* values;
    std::size_t width;
  };
  std::vector<Column> columns_;
  std::size_t rows_ = 0;
};

// Adds a leaf's values, times `scale`.
void add_leaf(std::span<float> to, const TreeLeaf& leaf, float scale) {
  for (std::size_t i = 0; i < std::min(to.size(), leaf.values.size()); ++i)
    to[i] += scale * leaf.values[i];
}

std::size_t leaf_of(const BoostedTree& tree, std::size_t node, const Buckets& buckets,
                    std::size_t row) {
  while (!tree.nodes[node].is_leaf()) node = buckets.next(tree.nodes[node], row);
  return node;
}

std::size_t logit_count(const KernelCall& call) {
  return static_cast<std::size_t>(call.output_tensor(0).dim(1));
}

void predict(KernelCall& call) {
  const Ensemble ensemble(call);
  const BoostedTrees& all = ensemble->trees;
  const Buckets buckets(call, 1);
  buckets.check(all);
  const std::size_t width = logit_count(call);
  const auto logits = call.output<float>(0);
  std::ranges::fill(logits, 0.0F);
  call.parallel_for(buckets.rows(), 20.0 * static_cast<double>(all.trees.size() + 1),
                    [&](std::size_t begin, std::size_t end) {
                      for (std::size_t row = begin; row < end; ++row)
                        for (const BoostedTree& tree : all.trees)
                          add_leaf(logits.subspan(row * width, width),
                                   tree.nodes[leaf_of(tree, 0, buckets, row)].leaf, tree.weight);
                    });
}

// --- training
// -------------------------------------------------------------------------------------

// Where an example was last seen. Throws InvalidArgument for places that there are not.
struct Place {
  std::size_t tree = 0, node = 0;
};
Place place_of(const BoostedTrees& all, std::int32_t tree, std::int32_t node) {
  require(tree >= 0 && static_cast<std::size_t>(tree) < all.trees.size(), "There is no tree ", tree,
          " among ", all.trees.size(), ".");
  const BoostedTree& found = all.trees[static_cast<std::size_t>(tree)];
  const std::size_t known = found.pruned.empty() ? found.nodes.size() : found.pruned.size();
  require(static_cast<std::size_t>(node) < known, "Tree ", tree, " has no node ", node, ".");
  return {static_cast<std::size_t>(tree), static_cast<std::size_t>(node)};
}

// From where the example was on, through all trees; returns where it ends.
Place change_logits(const BoostedTrees& all, Place at, bool is_new, const Buckets& buckets,
                    std::size_t row, std::span<float> logits) {
  if (!is_new) {
    const BoostedTree& tree = all.trees[at.tree];
    if (!tree.pruned.empty()) {
      const PrunedNode& moved = tree.pruned[at.node];
      for (std::size_t i = 0; i < std::min(logits.size(), moved.change.size()); ++i)
        logits[i] += moved.change[i];
      at.node = static_cast<std::size_t>(moved.new_id);
    }
    // The walk adds the value of the leaf that it ends in; this node's is counted already.
    add_leaf(logits, value_of(tree.nodes[at.node]), -tree.weight);
  }
  for (;; ++at.tree, at.node = 0) {
    const BoostedTree& tree = all.trees[at.tree];
    at.node = leaf_of(tree, at.node, buckets, row);
    add_leaf(logits, tree.nodes[at.node].leaf, tree.weight);
    if (at.tree + 1 == all.trees.size()) return at;
  }
}

void training_predict(KernelCall& call) {
  const Ensemble ensemble(call);
  const BoostedTrees& all = ensemble->trees;
  const Buckets buckets(call, 3);
  buckets.check(all);
  const auto cached_trees = call.input<std::int32_t>(1), cached_nodes = call.input<std::int32_t>(2);
  const auto logits = call.output<float>(0);
  const auto trees = call.output<std::int32_t>(1), nodes = call.output<std::int32_t>(2);
  for (int i = 0; i < 3; ++i)
    std::memset(call.output_tensor(i).raw_data(), 0, call.output_tensor(i).byte_size());
  if (all.trees.empty()) return;
  const std::size_t width = logit_count(call);
  call.parallel_for(buckets.rows(), 100, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      const bool is_new = cached_nodes[row] < 0;
      const Place from = is_new ? Place() : place_of(all, cached_trees[row], cached_nodes[row]);
      const Place to =
          change_logits(all, from, is_new, buckets, row, logits.subspan(row * width, width));
      trees[row] = static_cast<std::int32_t>(to.tree);
      nodes[row] = static_cast<std::int32_t>(to.node);
    }
  });
}

// --- explanations
// ---------------------------------------------------------------------------------

float first_logit(const BoostedTree& tree, std::size_t node) {
  const TreeLeaf& leaf = value_of(tree.nodes[node]);
  return leaf.values.empty() ? 0 : tree.weight * leaf.values[0];
}

std::string explain(const BoostedTrees& all, const Buckets& buckets, std::size_t row) {
  std::vector<std::int32_t> features;
  std::vector<float> path;
  if (!all.trees.empty()) path.push_back(first_logit(all.trees[0], 0));
  float done = 0;
  for (const BoostedTree& tree : all.trees) {
    std::size_t node = 0;
    while (!tree.nodes[node].is_leaf()) {
      features.push_back(tree.nodes[node].feature);
      node = buckets.next(tree.nodes[node], row);
      path.push_back(done + first_logit(tree, node));
    }
    done += first_logit(tree, node);
  }
  return tree_debug_message(features, path);
}

void debug_outputs(KernelCall& call) {
  const Ensemble ensemble(call);
  const Buckets buckets(call, 1);
  buckets.check(ensemble->trees);
  const auto messages = call.output<std::string>(0);
  for (std::size_t row = 0; row < buckets.rows(); ++row)
    messages[row] = explain(ensemble->trees, buckets, row);
}

constexpr KernelEntry kEntries[] = {
    {.op = &kBoostedTreesPredict, .run = predict},
    {.op = &kBoostedTreesTrainingPredict, .run = training_predict},
    {.op = &kBoostedTreesExampleDebugOutputs, .run = debug_outputs},
};

}  // namespace

extern const KernelTable kBtPredictCpu{kEntries};

}  // namespace rill
