#include "rill/ops/boosted_trees/list_shapes.h"

namespace rill {
namespace {

Shapes scalars_in(const ShapeCtx& c) {
  for (int i = 0; i < c.input_count(); ++i) c.scalar(i);
  return Shapes(static_cast<std::size_t>(c.output_count()),
                PartialShape(std::vector<std::int64_t>{}));
}

Shapes states_shapes(const ShapeCtx& c) {
  Shapes shapes = scalars_in(c);
  shapes.back() = PartialShape{2};
  return shapes;
}

Shapes bias_shape(const ShapeCtx& c) {
  c.scalar(0);
  const PartialShape gradients = c.with_rank(1, 2), hessians = c.with_rank(2, 2);
  require_same(gradients.dim(0), 1);
  (void)hessians;
  c.scalar(3);
  c.scalar(4);
  return scalar_output(c);
}

// Lists of `count` splits begin at input `first`: nodes, gains, thresholds and contributions.
Shapes update_shapes(const ShapeCtx& c) {
  const auto count = static_cast<int>(c.attr<std::int64_t>("num_features"));
  c.scalar(0);
  require_same(c.vector(1).dim(0), count);
  for (int i = 0; i < count; ++i) {
    const std::int64_t nodes = c.vector(2 + i).dim(0);
    require_same(c.vector(2 + count + i).dim(0), nodes);
    require_same(c.vector(2 + 2 * count + i).dim(0), nodes);
    require_same(c.with_rank(2 + 3 * count + i, 2).dim(0), nodes);
    require_same(c.with_rank(2 + 4 * count + i, 2).dim(0), nodes);
  }
  c.scalar(2 + 5 * count);
  c.scalar(3 + 5 * count);
  return {};
}

Shapes update_v2_shapes(const ShapeCtx& c) {
  const auto count = static_cast<int>(c.attr<std::int64_t>("num_features"));
  c.scalar(0);
  c.vector(1);
  for (int i = 0; i < count; ++i) {
    const std::int64_t nodes = c.vector(2 + i).dim(0);
    for (const int list : {1, 2, 3}) require_same(c.vector(2 + list * count + i).dim(0), nodes);
    for (const int list : {4, 5}) require_same(c.with_rank(2 + list * count + i, 2).dim(0), nodes);
    require_same(c.vector(2 + 6 * count + i).dim(0), nodes);
  }
  for (int i = 2 + 7 * count; i < c.input_count(); ++i) c.scalar(i);
  return {};
}

}  // namespace

extern constexpr OpDecl kBoostedTreesEnsembleResourceHandleOp{
    .name = "BoostedTreesEnsembleResourceHandleOp",
    .doc = "A handle of boosted trees that live from step to step.",
    .outputs = {"resource: resource"},
    .attrs = {"container: string = ''", "shared_name: string = ''"},
    .traits = kStateful | kNoLastingEffect,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kBoostedTreesEnsembleResourceHandleOp));

extern constexpr OpDecl kIsBoostedTreesEnsembleInitialized{
    .name = "IsBoostedTreesEnsembleInitialized",
    .doc = "Whether the trees were created.",
    .inputs = {"tree_ensemble_handle: resource"},
    .outputs = {"is_initialized: bool"},
    .traits = kStateful | kNoLastingEffect,
    .shape = scalars_in,
    .grad = no_gradient,
};
static_assert(well_formed(kIsBoostedTreesEnsembleInitialized));

extern constexpr OpDecl kBoostedTreesCreateEnsemble{
    .name = "BoostedTreesCreateEnsemble",
    .doc =
        "Creates the trees of a TreeEnsemble message, none of an empty one; nothing where they "
        "are there.",
    .inputs = {"tree_ensemble_handle: resource", "stamp_token: int64",
               "tree_ensemble_serialized: string"},
    .traits = kStateful,
    .shape = scalars_in,
    .grad = no_gradient,
};
static_assert(well_formed(kBoostedTreesCreateEnsemble));

extern constexpr OpDecl kBoostedTreesSerializeEnsemble{
    .name = "BoostedTreesSerializeEnsemble",
    .doc = "The trees as a message, and the number of changes they have seen.",
    .inputs = {"tree_ensemble_handle: resource"},
    .outputs = {"stamp_token: int64", "tree_ensemble_serialized: string"},
    .traits = kStateful | kNoLastingEffect,
    .shape = scalars_in,
    .grad = no_gradient,
};
static_assert(well_formed(kBoostedTreesSerializeEnsemble));

extern constexpr OpDecl kBoostedTreesDeserializeEnsemble{
    .name = "BoostedTreesDeserializeEnsemble",
    .doc = "Puts the trees of a message in place of those that are there.",
    .inputs = {"tree_ensemble_handle: resource", "stamp_token: int64",
               "tree_ensemble_serialized: string"},
    .traits = kStateful,
    .shape = scalars_in,
    .grad = no_gradient,
};
static_assert(well_formed(kBoostedTreesDeserializeEnsemble));

extern constexpr OpDecl kBoostedTreesGetEnsembleStates{
    .name = "BoostedTreesGetEnsembleStates",
    .doc = "How far the trees have grown.",
    .inputs = {"tree_ensemble_handle: resource"},
    .outputs = {"stamp_token: int64", "num_trees: int32", "num_finalized_trees: int32",
                "num_attempted_layers: int32", "last_layer_nodes_range: int32"},
    .traits = kStateful | kNoLastingEffect,
    .shape = states_shapes,
    .grad = no_gradient,
};
static_assert(well_formed(kBoostedTreesGetEnsembleStates));

extern constexpr OpDecl kBoostedTreesCenterBias{
    .name = "BoostedTreesCenterBias",
    .doc =
        "Moves the root of the first tree towards the best constant; false once it moves little.",
    .inputs = {"tree_ensemble_handle: resource", "mean_gradients: float", "mean_hessians: float",
               "l1: float", "l2: float"},
    .outputs = {"continue_centering: bool"},
    .traits = kStateful,
    .shape = bias_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kBoostedTreesCenterBias));

extern constexpr OpDecl kBoostedTreesUpdateEnsemble{
    .name = "BoostedTreesUpdateEnsemble",
    .doc = "Grows a layer: splits each node by its best feature.",
    .inputs = {"tree_ensemble_handle: resource", "feature_ids: int32",
               "node_ids: num_features * int32", "gains: num_features * float",
               "thresholds: num_features * int32", "left_node_contribs: num_features * float",
               "right_node_contribs: num_features * float", "max_depth: int32",
               "learning_rate: float"},
    .attrs = {"pruning_mode: int >= 0", "num_features: int >= 0"},
    .traits = kStateful,
    .shape = update_shapes,
    .grad = no_gradient,
};
static_assert(well_formed(kBoostedTreesUpdateEnsemble));

extern constexpr OpDecl kBoostedTreesUpdateEnsembleV2{
    .name = "BoostedTreesUpdateEnsembleV2",
    .doc =
        "Grows a layer: splits each node by its best feature, one of whose dimensions counts; "
        "the way of missing values is chosen, too.",
    .inputs = {"tree_ensemble_handle: resource", "feature_ids: int32",
               "dimension_ids: num_features * int32", "node_ids: num_features * int32",
               "gains: num_features * float", "thresholds: num_features * int32",
               "left_node_contribs: num_features * float",
               "right_node_contribs: num_features * float", "split_types: num_features * string",
               "max_depth: int32", "learning_rate: float", "pruning_mode: int32"},
    .attrs = {"num_features: int >= 0"},
    .traits = kStateful,
    .shape = update_v2_shapes,
    .grad = no_gradient,
};
static_assert(well_formed(kBoostedTreesUpdateEnsembleV2));

}  // namespace rill
