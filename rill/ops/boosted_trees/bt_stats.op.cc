#include "rill/ops/boosted_trees/list_shapes.h"

namespace rill {
namespace {

// Nodes, gradients and Hessians of as many examples, from input 0 on.
std::int64_t examples(const ShapeCtx& c) {
  std::int64_t rows = c.vector(0).dim(0);
  for (const int i : {1, 2}) {
    const std::int64_t own = c.with_rank(i, 2).dim(0);
    require_same(rows, own);
    rows = merge_dim(rows, own);
  }
  return rows;
}

std::int64_t sum_of(std::int64_t a, std::int64_t b) { return a < 0 || b < 0 ? kUnknownDim : a + b; }
std::int64_t stats_dim(const ShapeCtx& c) {
  return sum_of(c.with_rank(1, 2).dim(1), c.with_rank(2, 2).dim(1));
}

Shapes summary_shape(const ShapeCtx& c) {
  const std::int64_t rows = examples(c);
  for (const int i : {1, 2}) require_same(c.with_rank(i, 2).dim(1), 1);
  require_same(rows, common_rows(c, 3, c.input_count()));
  return {PartialShape{c.attr<std::int64_t>("num_features"), c.attr<std::int64_t>("max_splits"),
                       c.attr<std::int64_t>("num_buckets"), 2}};
}

Shapes aggregate_shape(const ShapeCtx& c) {
  const PartialShape feature = c.with_rank(3, 2);
  require_same(examples(c), feature.dim(0));
  return {PartialShape{c.attr<std::int64_t>("max_splits"), feature.dim(1),
                       c.attr<std::int64_t>("num_buckets") + 1, stats_dim(c)}};
}

Shapes sparse_shapes(const ShapeCtx& c) {
  examples(c);
  require_same(c.with_rank(3, 2).dim(1), 2);
  require_same(c.with_rank(3, 2).dim(0), c.vector(4).dim(0));
  require_same(c.vector(5).dim(0), 2);
  return {PartialShape{kUnknownDim, 4}, PartialShape{kUnknownDim}, PartialShape{4}};
}

}  // namespace

extern constexpr OpDecl kBoostedTreesMakeStatsSummary{
    .name = "BoostedTreesMakeStatsSummary",
    .doc = "The sums of gradients and Hessians in each bucket of each feature, by node.",
    .inputs = {"node_ids: int32", "gradients: float", "hessians: float",
               "bucketized_features_list: num_features * int32"},
    .outputs = {"stats_summary: float"},
    .attrs = {"max_splits: int >= 1", "num_buckets: int >= 1", "num_features: int >= 1"},
    .traits = kPure,
    .shape = summary_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kBoostedTreesMakeStatsSummary));

extern constexpr OpDecl kBoostedTreesAggregateStats{
    .name = "BoostedTreesAggregateStats",
    .doc =
        "The sums of gradients and Hessians in each bucket of one feature, by node and "
        "dimension; the last bucket is that of missing values (-1).",
    .inputs = {"node_ids: int32", "gradients: float", "hessians: float", "feature: int32"},
    .outputs = {"stats_summary: float"},
    .attrs = {"max_splits: int >= 1", "num_buckets: int >= 1"},
    .traits = kPure,
    .shape = aggregate_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kBoostedTreesAggregateStats));

extern constexpr OpDecl kBoostedTreesSparseAggregateStats{
    .name = "BoostedTreesSparseAggregateStats",
    .doc =
        "BoostedTreesAggregateStats of a sparse feature, as a sparse tensor; what the feature "
        "does not mention is missing.",
    .inputs = {"node_ids: int32", "gradients: float", "hessians: float", "feature_indices: int32",
               "feature_values: int32", "feature_shape: int32"},
    .outputs = {"stats_summary_indices: int32", "stats_summary_values: float",
                "stats_summary_shape: int32"},
    .attrs = {"max_splits: int >= 1", "num_buckets: int >= 1"},
    .traits = kPure | kDataDependentShape,
    .shape = sparse_shapes,
    .grad = no_gradient,
};
static_assert(well_formed(kBoostedTreesSparseAggregateStats));

}  // namespace rill
