#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

Shapes bincount_shape(const ShapeCtx& c) {
  (void)c.scalar(1);
  std::int64_t size = kUnknownDim;
  if (c.int_value(1, &size)) require(size >= 0, "size (", size, ") must be non-negative");
  return {PartialShape{size}};
}

Shapes histogram_shape(const ShapeCtx& c) {
  const PartialShape range = c.vector(1);
  require(compatible(range.dim(0), 2),
          "value_range should be a vector of 2 elements, but got shape ", range);
  (void)c.scalar(2);
  std::int64_t bins = kUnknownDim;
  if (c.int_value(2, &bins))
    require(bins > 0, "nbins should be a positive number, but got '", bins, "'");
  return {PartialShape{bins}};
}

// Both have the same rows; the result has a place for each value.
Shapes bound_shape(const ShapeCtx& c) {
  const PartialShape sorted = c.with_rank(0, 2), values = c.with_rank(1, 2);
  require(compatible(sorted.dim(0), values.dim(0)), "Leading dim_size of both tensors must match.");
  return {values};
}

Shapes unravel_index_shape(const ShapeCtx& c) {
  const PartialShape &indices = c.input(0), dims = c.vector(1);
  require(!indices.has_rank() || indices.rank() <= 1,
          "The indices can only be scalar or vector, got ", indices);
  if (!indices.has_rank()) return {PartialShape()};
  return {indices.rank() == 0 ? PartialShape{dims.dim(0)}
                              : PartialShape{dims.dim(0), indices.dim(0)}};
}

}  // namespace

extern constexpr OpDecl kBincount{
    .name = "Bincount",
    .doc =
        "How often each number below size comes in arr, or the sum of the weights it comes with.",
    .inputs = {"arr: int32", "size: int32", "weights: T"},
    .outputs = {"bins: T"},
    .attrs = {"T: {int32, int64, float, double}"},
    .traits = kPure,
    .shape = bincount_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kBincount));

extern constexpr OpDecl kBucketize{
    .name = "Bucketize",
    .doc = "How many of the boundaries, which ascend, are not greater than each element.",
    .inputs = {"input: T"},
    .outputs = {"output: int32"},
    .attrs = {"T: {int32, int64, float, double}", "boundaries: list(float)"},
    .traits = kPure,
    .shape = same_as_input,
    .grad = no_gradient,
};
static_assert(well_formed(kBucketize));

extern constexpr OpDecl kHistogramFixedWidth{
    .name = "HistogramFixedWidth",
    .doc =
        "How many values lie in each of nbins equal parts of value_range; those outside count at "
        "its ends.",
    .inputs = {"values: T", "value_range: T", "nbins: int32"},
    .outputs = {"out: dtype"},
    .attrs = {"T: {int32, int64, float, double}", "dtype: {int32, int64} = DT_INT32"},
    .traits = kPure,
    .shape = histogram_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kHistogramFixedWidth));

extern constexpr OpDecl kLowerBound{
    .name = "LowerBound",
    .doc = "Where each value would go in its sorted row, before those that are equal.",
    .inputs = {"sorted_inputs: T", "values: T"},
    .outputs = {"output: out_type"},
    .attrs = {"T: type", "out_type: {int32, int64} = DT_INT32"},
    .traits = kPure,
    .shape = bound_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kLowerBound));

extern constexpr OpDecl kUpperBound{
    .name = "UpperBound",
    .doc = "Where each value would go in its sorted row, behind those that are equal.",
    .inputs = {"sorted_inputs: T", "values: T"},
    .outputs = {"output: out_type"},
    .attrs = {"T: type", "out_type: {int32, int64} = DT_INT32"},
    .traits = kPure,
    .shape = bound_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kUpperBound));

extern constexpr OpDecl kUnravelIndex{
    .name = "UnravelIndex",
    .doc = "The coordinates, one row per dimension, of elements given by their places in memory.",
    .inputs = {"indices: Tidx", "dims: Tidx"},
    .outputs = {"output: Tidx"},
    .attrs = {"Tidx: {int32, int64} = DT_INT32"},
    .traits = kPure,
    .shape = unravel_index_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kUnravelIndex));

}  // namespace rill
