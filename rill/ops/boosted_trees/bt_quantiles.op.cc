#include "rill/ops/boosted_trees/list_shapes.h"

namespace rill {
namespace {

Shapes bucket_shapes(const ShapeCtx& c) {
  const int count = c.output_count();
  const std::int64_t rows = common_rows(c, 0, count);
  for (int i = 0; i < count; ++i) c.vector(count + i);
  return Shapes(static_cast<std::size_t>(count), PartialShape{rows});
}

Shapes summary_shapes(const ShapeCtx& c) {
  const int count = c.output_count();
  common_rows(c, 0, count);
  c.vector(count);
  c.scalar(count + 1);
  return Shapes(static_cast<std::size_t>(count), PartialShape{kUnknownDim, 4});
}

Shapes flushed_shapes(const ShapeCtx& c) {
  c.scalar(0);
  return Shapes(static_cast<std::size_t>(c.output_count()), PartialShape{kUnknownDim, 4});
}

Shapes boundary_shapes(const ShapeCtx& c) {
  c.scalar(0);
  return Shapes(static_cast<std::size_t>(c.output_count()), PartialShape{kUnknownDim});
}

Shapes added_shapes(const ShapeCtx& c) {
  c.scalar(0);
  for (int i = 1; i < c.input_count(); ++i) {
    const PartialShape summary = c.with_rank(i, 2);
    require_same(summary.dim(1), 4);
  }
  return {};
}

Shapes loaded_shapes(const ShapeCtx& c) {
  c.scalar(0);
  for (int i = 1; i < c.input_count(); ++i) c.vector(i);
  return {};
}

Shapes all_scalars(const ShapeCtx& c) {
  for (int i = 0; i < c.input_count(); ++i) c.scalar(i);
  return {};
}

Shapes scalar_of_scalar(const ShapeCtx& c) {
  c.scalar(0);
  return scalar_output(c);
}

}  // namespace

extern constexpr OpDecl kBoostedTreesBucketize{
    .name = "BoostedTreesBucketize",
    .doc =
        "In which bucket each number lies: the first whose boundary is not below it, else the "
        "last.",
    .inputs = {"float_values: num_features * float", "bucket_boundaries: num_features * float"},
    .outputs = {"buckets: num_features * int32"},
    .attrs = {"num_features: int >= 0"},
    .traits = kPure,
    .shape = bucket_shapes,
    .grad = no_gradient,
};
static_assert(well_formed(kBoostedTreesBucketize));

extern constexpr OpDecl kBoostedTreesMakeQuantileSummaries{
    .name = "BoostedTreesMakeQuantileSummaries",
    .doc =
        "A sketch of the numbers of each feature: rows of value, weight, lowest and highest "
        "rank.",
    .inputs = {"float_values: num_features * float", "example_weights: float", "epsilon: float"},
    .outputs = {"summaries: num_features * float"},
    .attrs = {"num_features: int >= 0"},
    .traits = kPure | kDataDependentShape,
    .shape = summary_shapes,
    .grad = no_gradient,
};
static_assert(well_formed(kBoostedTreesMakeQuantileSummaries));

extern constexpr OpDecl kBoostedTreesQuantileStreamResourceHandleOp{
    .name = "BoostedTreesQuantileStreamResourceHandleOp",
    .doc = "A handle of sketches that live from step to step.",
    .outputs = {"resource: resource"},
    .attrs = {"container: string = ''", "shared_name: string = ''"},
    .traits = kStateful | kNoLastingEffect,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kBoostedTreesQuantileStreamResourceHandleOp));

extern constexpr OpDecl kIsBoostedTreesQuantileStreamResourceInitialized{
    .name = "IsBoostedTreesQuantileStreamResourceInitialized",
    .doc = "Whether the sketches were created.",
    .inputs = {"quantile_stream_resource_handle: resource"},
    .outputs = {"is_initialized: bool"},
    .traits = kStateful | kNoLastingEffect,
    .shape = scalar_of_scalar,
    .grad = no_gradient,
};
static_assert(well_formed(kIsBoostedTreesQuantileStreamResourceInitialized));

extern constexpr OpDecl kBoostedTreesCreateQuantileStreamResource{
    .name = "BoostedTreesCreateQuantileStreamResource",
    .doc = "Creates the sketches, `num_streams` of them; nothing where they are there.",
    .inputs = {"quantile_stream_resource_handle: resource", "epsilon: float", "num_streams: int64"},
    .attrs = {"max_elements: int = 1099511627776"},
    .traits = kStateful,
    .shape = all_scalars,
    .grad = no_gradient,
};
static_assert(well_formed(kBoostedTreesCreateQuantileStreamResource));

extern constexpr OpDecl kBoostedTreesQuantileStreamResourceAddSummaries{
    .name = "BoostedTreesQuantileStreamResourceAddSummaries",
    .doc = "Adds a summary to each sketch.",
    .inputs = {"quantile_stream_resource_handle: resource", "summaries: num_features * float"},
    .attrs = {"num_features: int >= 0"},
    .traits = kStateful,
    .shape = added_shapes,
    .grad = no_gradient,
};
static_assert(well_formed(kBoostedTreesQuantileStreamResourceAddSummaries));

extern constexpr OpDecl kBoostedTreesQuantileStreamResourceDeserialize{
    .name = "BoostedTreesQuantileStreamResourceDeserialize",
    .doc = "Sets the boundaries of buckets; the sketches are ready after that.",
    .inputs = {"quantile_stream_resource_handle: resource",
               "bucket_boundaries: num_streams * float"},
    .attrs = {"num_streams: int >= 1"},
    .traits = kStateful,
    .shape = loaded_shapes,
    .grad = no_gradient,
};
static_assert(well_formed(kBoostedTreesQuantileStreamResourceDeserialize));

extern constexpr OpDecl kBoostedTreesQuantileStreamResourceFlush{
    .name = "BoostedTreesQuantileStreamResourceFlush",
    .doc = "Makes boundaries of buckets of the sketches, which start anew.",
    .inputs = {"quantile_stream_resource_handle: resource", "num_buckets: int64"},
    .attrs = {"generate_quantiles: bool = false"},
    .traits = kStateful,
    .shape = all_scalars,
    .grad = no_gradient,
};
static_assert(well_formed(kBoostedTreesQuantileStreamResourceFlush));

extern constexpr OpDecl kBoostedTreesQuantileStreamResourceGetBucketBoundaries{
    .name = "BoostedTreesQuantileStreamResourceGetBucketBoundaries",
    .doc = "The boundaries of buckets; none before they were made.",
    .inputs = {"quantile_stream_resource_handle: resource"},
    .outputs = {"bucket_boundaries: num_features * float"},
    .attrs = {"num_features: int >= 0"},
    .traits = kStateful | kDataDependentShape | kNoLastingEffect,
    .shape = boundary_shapes,
    .grad = no_gradient,
};
static_assert(well_formed(kBoostedTreesQuantileStreamResourceGetBucketBoundaries));

extern constexpr OpDecl kBoostedTreesFlushQuantileSummaries{
    .name = "BoostedTreesFlushQuantileSummaries",
    .doc = "The summaries of the sketches, which start anew.",
    .inputs = {"quantile_stream_resource_handle: resource"},
    .outputs = {"summaries: num_features * float"},
    .attrs = {"num_features: int >= 0"},
    .traits = kStateful | kDataDependentShape,
    .shape = flushed_shapes,
    .grad = no_gradient,
};
static_assert(well_formed(kBoostedTreesFlushQuantileSummaries));

}  // namespace rill
