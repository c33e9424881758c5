// Trees as TensorFlow writes them into checkpoints and models.
#include "rill/base/error.h"
#include "rill/ops/boosted_trees/tree_ensemble.h"
#include "tensorflow/core/kernels/boosted_trees/boosted_trees.pb.h"

namespace rill {
namespace {

namespace message = tensorflow::boosted_trees;

void write(const TreeLeaf& leaf, message::Leaf& to) {
  if (leaf.is_scalar)
    to.set_scalar(leaf.values.empty() ? 0 : leaf.values[0]);
  else
    for (const float value : leaf.values) to.mutable_vector()->add_value(value);
}

TreeLeaf read(const message::Leaf& from) {
  if (!from.has_vector()) return {{from.scalar()}, true};
  return {{from.vector().value().begin(), from.vector().value().end()}, false};
}

template <class Split>
void write_split(const TreeNode& node, Split& to) {
  to.set_feature_id(node.feature);
  to.set_dimension_id(node.dimension);
  to.set_left_id(node.left);
  to.set_right_id(node.right);
}

void write(const TreeNode& node, message::Node& to) {
  if (node.kind == SplitKind::kLeaf) write(node.leaf, *to.mutable_leaf());
  if (node.kind == SplitKind::kBucketized) {
    write_split(node, *to.mutable_bucketized_split());
    to.mutable_bucketized_split()->set_threshold(node.threshold);
    to.mutable_bucketized_split()->set_default_direction(
        node.missing_goes_left ? message::DEFAULT_LEFT : message::DEFAULT_RIGHT);
  }
  if (node.kind == SplitKind::kCategorical) {
    write_split(node, *to.mutable_categorical_split());
    to.mutable_categorical_split()->set_value(node.threshold);
  }
  if (node.gain) to.mutable_metadata()->set_gain(*node.gain);
  if (node.original_leaf)
    write(*node.original_leaf, *to.mutable_metadata()->mutable_original_leaf());
}

template <class Split>
void read_split(const Split& from, std::int32_t threshold, TreeNode& node) {
  node.feature = from.feature_id();
  node.dimension = from.dimension_id();
  node.left = from.left_id();
  node.right = from.right_id();
  node.threshold = threshold;
}

TreeNode read(const message::Node& from) {
  TreeNode node;
  if (from.has_metadata()) {
    node.gain = from.metadata().gain();
    if (from.metadata().has_original_leaf())
      node.original_leaf = read(from.metadata().original_leaf());
  }
  if (from.has_bucketized_split()) {
    const message::BucketizedSplit& split = from.bucketized_split();
    node.kind = SplitKind::kBucketized;
    read_split(split, split.threshold(), node);
    node.missing_goes_left = split.default_direction() == message::DEFAULT_LEFT;
  } else if (from.has_categorical_split()) {
    node.kind = SplitKind::kCategorical;
    read_split(from.categorical_split(), from.categorical_split().value(), node);
  } else {
    require(!from.has_dense_split(), "Dense splits have no place among boosted trees.");
    node.leaf = read(from.leaf());
  }
  return node;
}

BoostedTree read(const message::Tree& from) {
  BoostedTree tree;
  const int count = from.nodes_size();
  require(count > 0, "A boosted tree has no nodes.");
  for (int i = 0; i < count; ++i) {
    TreeNode node = read(from.nodes(i));
    require(node.is_leaf() || (node.left > i && node.right > i && node.left < count &&
                               node.right < count && node.feature >= 0 && node.dimension >= 0),
            "Node ", i, " of a boosted tree has the children ", node.left, " and ", node.right,
            " among ", count, " nodes.");
    tree.nodes.push_back(std::move(node));
  }
  return tree;
}

void read(const message::TreeMetadata& from, BoostedTree& tree) {
  tree.layers_grown = from.num_layers_grown();
  tree.is_finalized = from.is_finalized();
  for (const auto& moved : from.post_pruned_nodes_meta()) {
    require(moved.new_node_id() >= 0 &&
                moved.new_node_id() < static_cast<std::int32_t>(tree.nodes.size()),
            "A pruned node of a boosted tree went to node ", moved.new_node_id());
    tree.pruned.push_back(
        {moved.new_node_id(), {moved.logit_change().begin(), moved.logit_change().end()}});
  }
}

void write(const BoostedTree& tree, message::TreeMetadata& to) {
  to.set_num_layers_grown(tree.layers_grown);
  to.set_is_finalized(tree.is_finalized);
  for (const PrunedNode& moved : tree.pruned) {
    auto& meta = *to.add_post_pruned_nodes_meta();
    meta.set_new_node_id(moved.new_id);
    for (const float change : moved.change) meta.add_logit_change(change);
  }
}

}  // namespace

std::string BoostedTrees::serialize() const {
  message::TreeEnsemble all;
  for (const BoostedTree& tree : trees) {
    message::Tree& to = *all.add_trees();
    for (const TreeNode& node : tree.nodes) write(node, *to.add_nodes());
    all.add_tree_weights(tree.weight);
    write(tree, *all.add_tree_metadata());
  }
  if (has_growing) {
    message::GrowingMetadata& growing = *all.mutable_growing_metadata();
    growing.set_num_trees_attempted(trees_attempted);
    growing.set_num_layers_attempted(layers_attempted);
    growing.set_last_layer_node_start(last_layer_begin);
    growing.set_last_layer_node_end(last_layer_end);
  }
  return all.SerializeAsString();
}

BoostedTrees BoostedTrees::parse(std::string_view bytes) {
  message::TreeEnsemble all;
  require(all.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())),
          "Unable to parse tree ensemble proto.");
  BoostedTrees result;
  for (int i = 0; i < all.trees_size(); ++i) {
    BoostedTree tree = read(all.trees(i));
    tree.weight = i < all.tree_weights_size() ? all.tree_weights(i) : 1;
    if (i < all.tree_metadata_size()) read(all.tree_metadata(i), tree);
    result.trees.push_back(std::move(tree));
  }
  result.has_growing = all.has_growing_metadata();
  result.trees_attempted = all.growing_metadata().num_trees_attempted();
  result.layers_attempted = all.growing_metadata().num_layers_attempted();
  result.last_layer_begin = all.growing_metadata().last_layer_node_start();
  result.last_layer_end = all.growing_metadata().last_layer_node_end();
  return result;
}

std::string tree_debug_message(const std::vector<std::int32_t>& features,
                               const std::vector<float>& logits) {
  message::DebugOutput output;
  for (const std::int32_t feature : features) output.add_feature_ids(feature);
  for (const float logit : logits) output.add_logits_path(logit);
  return output.SerializeAsString();
}

}  // namespace rill
