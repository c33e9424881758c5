#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

// How many there are is known only when the op runs; an index for each element of the axis.
Shapes unique_shape(const ShapeCtx& c) {
  const PartialShape& x = c.input(0);
  PartialShape places{kUnknownDim}, out = x.has_rank() ? PartialShape{kUnknownDim} : PartialShape();
  if (c.input_count() == 1) {
    places = c.vector(0);
    out = PartialShape{kUnknownDim};
  } else {
    (void)c.vector(1);
    std::vector<std::int64_t> axis;
    if (x.has_rank() && c.int_values(1, &axis)) {
      require(axis.size() <= 1, "axis does not support input tensors larger than 1 elements, got ",
              axis.size());
      const int d = axis.empty() ? 0 : canonical_axis(axis[0], x.rank());
      require(!axis.empty() || x.rank() == 1, "x has to be 1-D without an axis, got shape ", x);
      places = PartialShape{x.dim(d)};
      out = x.with_dim(d, kUnknownDim);
    } else if (x.has_rank()) {
      out = PartialShape::of_rank(x.rank());
    }
  }
  Shapes shapes{out, places};
  if (c.output_count() == 3) shapes.push_back(PartialShape{kUnknownDim});
  return shapes;
}

}  // namespace

extern constexpr OpDecl kUnique{
    .name = "Unique",
    .doc = "The elements of x, each once, in the order they first come in; and which one each is.",
    .inputs = {"x: T"},
    .outputs = {"y: T", "idx: out_idx"},
    .attrs = {"T: type", "out_idx: {int32, int64} = DT_INT32"},
    .traits = kPure | kDataDependentShape,
    .shape = unique_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kUnique));

extern constexpr OpDecl kUniqueV2{
    .name = "UniqueV2",
    .doc = "The slices of x along axis, each once; and which one each is.",
    .inputs = {"x: T", "axis: Taxis"},
    .outputs = {"y: T", "idx: out_idx"},
    .attrs = {"T: type", "Taxis: {int32, int64} = DT_INT64", "out_idx: {int32, int64} = DT_INT32"},
    .traits = kPure | kDataDependentShape,
    .shape = unique_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kUniqueV2));

extern constexpr OpDecl kUniqueWithCounts{
    .name = "UniqueWithCounts",
    .doc = "As Unique, and how often each element comes.",
    .inputs = {"x: T"},
    .outputs = {"y: T", "idx: out_idx", "count: out_idx"},
    .attrs = {"T: type", "out_idx: {int32, int64} = DT_INT32"},
    .traits = kPure | kDataDependentShape,
    .shape = unique_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kUniqueWithCounts));

extern constexpr OpDecl kUniqueWithCountsV2{
    .name = "UniqueWithCountsV2",
    .doc = "As UniqueV2, and how often each slice comes.",
    .inputs = {"x: T", "axis: Taxis"},
    .outputs = {"y: T", "idx: out_idx", "count: out_idx"},
    .attrs = {"T: type", "Taxis: {int32, int64} = DT_INT64", "out_idx: {int32, int64} = DT_INT32"},
    .traits = kPure | kDataDependentShape,
    .shape = unique_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kUniqueWithCountsV2));

}  // namespace rill
