// Elements in an order that seeds decide.
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {

namespace {

Shapes generator_handles(const ShapeCtx&) {
  return {PartialShape::scalar(), PartialShape::scalar()};
}

}  // namespace

extern constexpr OpDecl kShuffleDataset{
    .name = "ShuffleDataset",
    .doc = "Each element is chosen at random among the next `buffer_size` of the input.",
    .inputs = {"input_dataset: variant", "buffer_size: int64", "seed: int64", "seed2: int64"},
    .outputs = {"handle: variant"},
    .attrs = {"reshuffle_each_iteration: bool = true", "output_types: list(type) >= 1",
              "output_shapes: list(shape) >= 1"},
    .traits = kShuffles,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kShuffleDataset));

extern constexpr OpDecl kShuffleDatasetV2{
    .name = "ShuffleDatasetV2",
    .doc = "The same with seeds from a generator that later walks go on with.",
    .inputs = {"input_dataset: variant", "buffer_size: int64", "seed_generator: resource"},
    .outputs = {"handle: variant"},
    .attrs = {"output_types: list(type) >= 1", "output_shapes: list(shape) >= 1"},
    .traits = kStateful | kShuffles,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kShuffleDatasetV2));

extern constexpr OpDecl kShuffleAndRepeatDataset{
    .name = "ShuffleAndRepeatDataset",
    .doc = "The input `count` times over, shuffled anew each time.",
    .inputs = {"input_dataset: variant", "buffer_size: int64", "seed: int64", "seed2: int64",
               "count: int64"},
    .outputs = {"handle: variant"},
    .attrs = {"output_types: list(type) >= 1", "output_shapes: list(shape) >= 1"},
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kShuffleAndRepeatDataset));

extern constexpr OpDecl kAnonymousRandomSeedGenerator{
    .name = "AnonymousRandomSeedGenerator",
    .doc = "A new generator of seeds, and what deletes it.",
    .inputs = {"seed: int64", "seed2: int64"},
    .outputs = {"handle: resource", "deleter: variant"},
    .traits = kStateful,
    .shape = generator_handles,
    .grad = no_gradient,
};
static_assert(well_formed(kAnonymousRandomSeedGenerator));

extern constexpr OpDecl kDeleteRandomSeedGenerator{
    .name = "DeleteRandomSeedGenerator",
    .doc = "Deletes a generator of seeds.",
    .inputs = {"handle: resource", "deleter: variant"},
    .traits = kStateful,
    .shape = no_outputs,
    .grad = no_gradient,
};
static_assert(well_formed(kDeleteRandomSeedGenerator));

}  // namespace rill
