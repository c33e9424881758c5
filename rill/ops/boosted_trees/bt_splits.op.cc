#include "rill/ops/boosted_trees/list_shapes.h"

namespace rill {
namespace {

void scalars_from(const ShapeCtx& c, int begin) {
  for (int i = begin; i < begin + 4; ++i) c.scalar(i);
}

Shapes gains_shapes(const ShapeCtx& c) {
  const auto count = static_cast<int>(c.attr<std::int64_t>("num_features"));
  require_same(c.vector(0).dim(0), 2);
  std::int64_t buckets = kUnknownDim;
  for (int i = 1; i <= count; ++i) {
    const PartialShape stats = c.with_rank(i, 3);
    require_same(stats.dim(0), c.attr<std::int64_t>("max_splits"));
    require_same(stats.dim(1), buckets);
    require_same(stats.dim(2), 2);
    buckets = merge_dim(buckets, stats.dim(1));
  }
  scalars_from(c, 1 + count);
  const auto n = static_cast<std::size_t>(count);
  Shapes shapes(3 * n, PartialShape{kUnknownDim});
  shapes.insert(shapes.end(), 2 * n, PartialShape{kUnknownDim, 1});
  return shapes;
}

Shapes split_shapes(const ShapeCtx& c) {
  const PartialShape rows{kUnknownDim};
  const PartialShape contributions{kUnknownDim, c.attr<std::int64_t>("logits_dimension")};
  return {rows, rows, rows, rows, contributions, contributions, rows};
}

Shapes dense_split_shapes(const ShapeCtx& c) {
  require_same(c.vector(0).dim(0), 2);
  c.with_rank(1, 4);
  scalars_from(c, 2);
  return split_shapes(c);
}

Shapes sparse_split_shapes(const ShapeCtx& c) {
  require_same(c.vector(0).dim(0), 2);
  require_same(c.with_rank(1, 2).dim(1), 4);
  require_same(c.with_rank(1, 2).dim(0), c.vector(2).dim(0));
  require_same(c.vector(3).dim(0), 4);
  scalars_from(c, 4);
  return split_shapes(c);
}

}  // namespace

extern constexpr OpDecl kBoostedTreesCalculateBestGainsPerFeature{
    .name = "BoostedTreesCalculateBestGainsPerFeature",
    .doc =
        "The best split of each node by each feature, for nodes from node_id_range[0] to before "
        "node_id_range[1] with enough weight.",
    .inputs = {"node_id_range: int32", "stats_summary_list: num_features * float", "l1: float",
               "l2: float", "tree_complexity: float", "min_node_weight: float"},
    .outputs = {"node_ids_list: num_features * int32", "gains_list: num_features * float",
                "thresholds_list: num_features * int32",
                "left_node_contribs_list: num_features * float",
                "right_node_contribs_list: num_features * float"},
    .attrs = {"max_splits: int >= 1", "num_features: int >= 1"},
    .traits = kPure | kDataDependentShape,
    .shape = gains_shapes,
    .grad = no_gradient,
};
static_assert(well_formed(kBoostedTreesCalculateBestGainsPerFeature));

extern constexpr OpDecl kBoostedTreesCalculateBestFeatureSplit{
    .name = "BoostedTreesCalculateBestFeatureSplit",
    .doc =
        "The best split of each node by one feature, over its dimensions, buckets and the ways "
        "that missing values can go.",
    .inputs = {"node_id_range: int32", "stats_summary: float", "l1: float", "l2: float",
               "tree_complexity: float", "min_node_weight: float"},
    .outputs = {"node_ids: int32", "gains: float", "feature_dimensions: int32", "thresholds: int32",
                "left_node_contribs: float", "right_node_contribs: float",
                "split_with_default_directions: string"},
    .attrs = {"logits_dimension: int >= 1",
              "split_type: {'inequality', 'equality'} = 'inequality'"},
    .traits = kPure | kDataDependentShape,
    .shape = dense_split_shapes,
    .grad = no_gradient,
};
static_assert(well_formed(kBoostedTreesCalculateBestFeatureSplit));

extern constexpr OpDecl kBoostedTreesSparseCalculateBestFeatureSplit{
    .name = "BoostedTreesSparseCalculateBestFeatureSplit",
    .doc = "BoostedTreesCalculateBestFeatureSplit of sparse statistics.",
    .inputs = {"node_id_range: int32", "stats_summary_indices: int32",
               "stats_summary_values: float", "stats_summary_shape: int32", "l1: float",
               "l2: float", "tree_complexity: float", "min_node_weight: float"},
    .outputs = {"node_ids: int32", "gains: float", "feature_dimensions: int32", "thresholds: int32",
                "left_node_contribs: float", "right_node_contribs: float",
                "split_with_default_directions: string"},
    .attrs = {"logits_dimension: int >= 1", "split_type: {'inequality'} = 'inequality'"},
    .traits = kPure | kDataDependentShape,
    .shape = sparse_split_shapes,
    .grad = no_gradient,
};
static_assert(well_formed(kBoostedTreesSparseCalculateBestFeatureSplit));

}  // namespace rill
