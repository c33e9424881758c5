// What is kept of a first walk through a dataset for later ones.
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {

namespace {

Shapes cache_handles(const ShapeCtx&) { return {PartialShape::scalar(), PartialShape::scalar()}; }

}  // namespace

extern constexpr OpDecl kCacheDataset{
    .name = "CacheDataset",
    .doc = "The input; from the second walk on from memory, or from the file.",
    .inputs = {"input_dataset: variant", "filename: string"},
    .outputs = {"handle: variant"},
    .attrs = {"output_types: list(type) >= 1", "output_shapes: list(shape) >= 1"},
    .traits = kReadsFiles | kWritesFiles,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kCacheDataset));

extern constexpr OpDecl kCacheDatasetV2{
    .name = "CacheDatasetV2",
    .doc = "The input; from the second walk on from `cache`, or from the file.",
    .inputs = {"input_dataset: variant", "filename: string", "cache: resource"},
    .outputs = {"handle: variant"},
    .attrs = {"output_types: list(type) >= 1", "output_shapes: list(shape) >= 1"},
    .traits = kStateful | kReadsFiles | kWritesFiles,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kCacheDatasetV2));

extern constexpr OpDecl kAnonymousMemoryCache{
    .name = "AnonymousMemoryCache",
    .doc = "A new place to keep elements in, and what deletes it.",
    .outputs = {"handle: resource", "deleter: variant"},
    .traits = kStateful | kNoAccess,
    .shape = cache_handles,
    .grad = no_gradient,
};
static_assert(well_formed(kAnonymousMemoryCache));

extern constexpr OpDecl kDeleteMemoryCache{
    .name = "DeleteMemoryCache",
    .doc = "Deletes a place where elements are kept.",
    .inputs = {"handle: resource", "deleter: variant"},
    .traits = kStateful | kNoAccess,
    .shape = no_outputs,
    .grad = no_gradient,
};
static_assert(well_formed(kDeleteMemoryCache));

}  // namespace rill
