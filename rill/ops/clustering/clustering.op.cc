#include <algorithm>

#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

Shapes samples_shape(const ShapeCtx& c) {
  const PartialShape points = c.with_rank(0, 2);
  for (const int i : {1, 2, 3}) c.scalar(i);
  std::int64_t count = kUnknownDim;
  if (!c.int_value(1, &count) || count < 0) count = kUnknownDim;
  return {PartialShape{count, points.dim(1)}};
}

Shapes index_shape(const ShapeCtx& c) {
  c.vector(0);
  c.scalar(1);
  return scalar_output(c);
}

Shapes nearest_shapes(const ShapeCtx& c) {
  const PartialShape points = c.with_rank(0, 2), centers = c.with_rank(1, 2);
  require(compatible(points.dim(1), centers.dim(1)), "Dimensions must be equal, but are ",
          points.dim(1), " and ", centers.dim(1));
  c.scalar(2);
  std::int64_t k = kUnknownDim;
  if (!c.int_value(2, &k) || centers.dim(0) < 0)
    k = kUnknownDim;
  else
    k = std::min(std::max<std::int64_t>(k, 0), centers.dim(0));
  const PartialShape found{points.dim(0), k};
  return {found, found};
}

}  // namespace

extern constexpr OpDecl kKmeansPlusPlusInitialization{
    .name = "KmeansPlusPlusInitialization",
    .doc =
        "Rows of `points` that lie far from each other, drawn as k-means++ does; for each row "
        "the best of 1 + num_retries_per_sample draws is taken.",
    .inputs = {"points: float", "num_to_sample: int64", "seed: int64",
               "num_retries_per_sample: int64"},
    .outputs = {"samples: float"},
    .traits = kPure | kDataDependentShape,
    .shape = samples_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kKmeansPlusPlusInitialization));

extern constexpr OpDecl kKMC2ChainInitialization{
    .name = "KMC2ChainInitialization",
    .doc =
        "The end of a Markov chain over candidates, which are drawn by their distance: one "
        "center of k-MC2.",
    .inputs = {"distances: float", "seed: int64"},
    .outputs = {"index: int64"},
    .traits = kPure,
    .shape = index_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kKMC2ChainInitialization));

extern constexpr OpDecl kNearestNeighbors{
    .name = "NearestNeighbors",
    .doc =
        "The `k` centers that are nearest to each point, nearest first, and their squared "
        "distances; all centers where there are fewer.",
    .inputs = {"points: float", "centers: float", "k: int64"},
    .outputs = {"nearest_center_indices: int64", "nearest_center_distances: float"},
    .traits = kPure | kDataDependentShape,
    .shape = nearest_shapes,
    .grad = no_gradient,
};
static_assert(well_formed(kNearestNeighbors));

}  // namespace rill
