#include "rill/ops/boosted_trees/list_shapes.h"

namespace rill {
namespace {

// Features of as many examples, from input `first` on.
std::int64_t bucket_rows(const ShapeCtx& c, int first) {
  c.scalar(0);
  std::int64_t rows = kUnknownDim;
  for (int i = first; i < c.input_count(); ++i) {
    const PartialShape feature = c.with_rank_at_least(i, 1);
    if (!feature.has_rank()) continue;
    require(feature.rank() <= 2, "Shape must be rank 1 but is rank ", feature.rank());
    require_same(rows, feature.dim(0));
    rows = merge_dim(rows, feature.dim(0));
  }
  return rows;
}

Shapes predict_shape(const ShapeCtx& c) {
  return {PartialShape{bucket_rows(c, 1), c.attr<std::int64_t>("logits_dimension")}};
}

Shapes training_shapes(const ShapeCtx& c) {
  std::int64_t rows = bucket_rows(c, 3);
  for (const int i : {1, 2}) {
    require_same(rows, c.vector(i).dim(0));
    rows = merge_dim(rows, c.vector(i).dim(0));
  }
  return {PartialShape{rows, c.attr<std::int64_t>("logits_dimension")}, PartialShape{rows},
          PartialShape{rows}};
}

Shapes debug_shape(const ShapeCtx& c) { return {PartialShape{bucket_rows(c, 1)}}; }

}  // namespace

extern constexpr OpDecl kBoostedTreesPredict{
    .name = "BoostedTreesPredict",
    .doc = "The sum of the leaves that examples end in.",
    .inputs = {"tree_ensemble_handle: resource",
               "bucketized_features: num_bucketized_features * int32"},
    .outputs = {"logits: float"},
    .attrs = {"num_bucketized_features: int >= 1", "logits_dimension: int"},
    .traits = kStateful | kNoLastingEffect,
    .shape = predict_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kBoostedTreesPredict));

extern constexpr OpDecl kBoostedTreesTrainingPredict{
    .name = "BoostedTreesTrainingPredict",
    .doc =
        "What the logits of examples change by, from the tree and node where they were to where "
        "they end now, which is given out, too. A node of -1: they were nowhere yet.",
    .inputs = {"tree_ensemble_handle: resource", "cached_tree_ids: int32", "cached_node_ids: int32",
               "bucketized_features: num_bucketized_features * int32"},
    .outputs = {"partial_logits: float", "tree_ids: int32", "node_ids: int32"},
    .attrs = {"num_bucketized_features: int >= 1", "logits_dimension: int"},
    .traits = kStateful | kNoLastingEffect,
    .shape = training_shapes,
    .grad = no_gradient,
};
static_assert(well_formed(kBoostedTreesTrainingPredict));

extern constexpr OpDecl kBoostedTreesExampleDebugOutputs{
    .name = "BoostedTreesExampleDebugOutputs",
    .doc =
        "How each example came to its logit: a DebugOutput message with the features that were "
        "asked and the logit behind each.",
    .inputs = {"tree_ensemble_handle: resource",
               "bucketized_features: num_bucketized_features * int32"},
    .outputs = {"examples_debug_outputs_serialized: string"},
    .attrs = {"num_bucketized_features: int >= 1", "logits_dimension: int"},
    .traits = kStateful | kNoLastingEffect,
    .shape = debug_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kBoostedTreesExampleDebugOutputs));

}  // namespace rill
