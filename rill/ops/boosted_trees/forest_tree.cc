#include "rill/ops/boosted_trees/forest_tree.h"

#include "rill/base/error.h"
#include "tensorflow/core/kernels/boosted_trees/boosted_trees.pb.h"

namespace rill {

std::vector<ForestNode> parse_forest_tree(std::string_view bytes) {
  tensorflow::boosted_trees::Tree tree;
  require(tree.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())),
          "Unable to parse tree config.");
  std::vector<ForestNode> nodes;
  const int count = tree.nodes_size();
  for (int i = 0; i < count; ++i) {
    const auto& from = tree.nodes(i);
    require(!from.has_bucketized_split() && !from.has_categorical_split(),
            "Only dense splits have a place in the trees of forests.");
    ForestNode node;
    if (from.has_dense_split()) {
      const auto& split = from.dense_split();
      node = {false, split.feature_id(), split.left_id(), split.right_id(), split.threshold()};
      require(node.feature >= 0 && node.left > i && node.right > i && node.left < count &&
                  node.right < count,
              "Node ", i, " of a tree has the children ", node.left, " and ", node.right, " among ",
              count, " nodes.");
    } else {
      const auto& values = from.leaf().vector().value();
      node.values.assign(values.begin(), values.end());
      if (!from.leaf().has_vector()) node.values.push_back(from.leaf().scalar());
    }
    nodes.push_back(std::move(node));
  }
  return nodes;
}

}  // namespace rill
