#include "rill/ops/boosted_trees/list_shapes.h"

namespace rill {
namespace {

Shapes all_scalar(const ShapeCtx& c) {
  for (int i = 0; i < c.input_count(); ++i) c.scalar(i);
  return Shapes(static_cast<std::size_t>(c.output_count()),
                PartialShape(std::vector<std::int64_t>{}));
}

Shapes forest_logits(const ShapeCtx& c) {
  c.scalar(0);
  return {PartialShape{c.with_rank(1, 2).dim(0), c.attr<std::int64_t>("logits_dimension")}};
}

}  // namespace

extern constexpr OpDecl kTensorForestTreeResourceHandleOp{
    .name = "TensorForestTreeResourceHandleOp",
    .doc = "A handle of a tree that lives from step to step.",
    .outputs = {"resource: resource"},
    .attrs = {"container: string = ''", "shared_name: string = ''"},
    .traits = kStateful | kNoLastingEffect,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kTensorForestTreeResourceHandleOp));

extern constexpr OpDecl kTensorForestTreeIsInitializedOp{
    .name = "TensorForestTreeIsInitializedOp",
    .doc = "Whether the tree was created.",
    .inputs = {"tree_handle: resource"},
    .outputs = {"is_initialized: bool"},
    .traits = kStateful | kNoLastingEffect,
    .shape = all_scalar,
    .grad = no_gradient,
};
static_assert(well_formed(kTensorForestTreeIsInitializedOp));

extern constexpr OpDecl kTensorForestCreateTreeVariable{
    .name = "TensorForestCreateTreeVariable",
    .doc = "Creates the tree of a Tree message; an empty one is a tree without nodes.",
    .inputs = {"tree_handle: resource", "tree_config: string"},
    .traits = kStateful,
    .shape = all_scalar,
    .grad = no_gradient,
};
static_assert(well_formed(kTensorForestCreateTreeVariable));

extern constexpr OpDecl kTensorForestTreeDeserialize{
    .name = "TensorForestTreeDeserialize",
    .doc = "Puts the tree of a Tree message in place of the one that is there.",
    .inputs = {"tree_handle: resource", "tree_config: string"},
    .traits = kStateful,
    .shape = all_scalar,
    .grad = no_gradient,
};
static_assert(well_formed(kTensorForestTreeDeserialize));

extern constexpr OpDecl kTensorForestTreeSerialize{
    .name = "TensorForestTreeSerialize",
    .doc = "The tree as a message.",
    .inputs = {"tree_handle: resource"},
    .outputs = {"tree_config: string"},
    .traits = kStateful | kNoLastingEffect,
    .shape = all_scalar,
    .grad = no_gradient,
};
static_assert(well_formed(kTensorForestTreeSerialize));

extern constexpr OpDecl kTensorForestTreeSize{
    .name = "TensorForestTreeSize",
    .doc = "How many nodes the tree has.",
    .inputs = {"tree_handle: resource"},
    .outputs = {"tree_size: int32"},
    .traits = kStateful | kNoLastingEffect,
    .shape = all_scalar,
    .grad = no_gradient,
};
static_assert(well_formed(kTensorForestTreeSize));

extern constexpr OpDecl kTensorForestTreePredict{
    .name = "TensorForestTreePredict",
    .doc = "The leaves that examples end in.",
    .inputs = {"tree_handle: resource", "dense_features: float"},
    .outputs = {"logits: float"},
    .attrs = {"logits_dimension: int"},
    .traits = kStateful | kNoLastingEffect,
    .shape = forest_logits,
    .grad = no_gradient,
};
static_assert(well_formed(kTensorForestTreePredict));

}  // namespace rill
