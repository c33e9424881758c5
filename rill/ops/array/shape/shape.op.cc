#include "rill/graph/kernel_work.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

Shapes shape_shape(const ShapeCtx& c) {
  Shapes shapes;
  for (int i = 0; i < c.input_count(); ++i)
    shapes.push_back(PartialShape{c.input(i).has_rank() ? c.input(i).rank() : kUnknownDim});
  return shapes;
}

}  // namespace

extern constexpr OpDecl kShape{
    .name = "Shape",
    .doc = "The shape of a tensor as a vector.",
    .inputs = {"input: T"},
    .outputs = {"output: out_type"},
    .attrs = {"T: type", "out_type: {int32, int64} = DT_INT32"},
    .traits = kPure | kMetadata,
    .shape = shape_shape,
    .cost = no_flops,
    .grad = not_differentiable,
};
static_assert(well_formed(kShape));

extern constexpr OpDecl kShapeN{
    .name = "ShapeN",
    .doc = "The shapes of several tensors.",
    .inputs = {"input: N * T"},
    .outputs = {"output: N * out_type"},
    .attrs = {"N: int >= 1", "T: type", "out_type: {int32, int64} = DT_INT32"},
    .traits = kPure,
    .shape = shape_shape,
    .grad = not_differentiable,
};
static_assert(well_formed(kShapeN));

extern constexpr OpDecl kSize{
    .name = "Size",
    .doc = "The number of elements of a tensor.",
    .inputs = {"input: T"},
    .outputs = {"output: out_type"},
    .attrs = {"T: type", "out_type: {int32, int64} = DT_INT32"},
    .traits = kPure | kMetadata,
    .shape = scalar_output,
    .grad = not_differentiable,
};
static_assert(well_formed(kSize));

extern constexpr OpDecl kRank{
    .name = "Rank",
    .doc = "The number of dimensions of a tensor.",
    .inputs = {"input: T"},
    .outputs = {"output: int32"},
    .attrs = {"T: type"},
    .traits = kPure | kMetadata,
    .shape = scalar_output,
    .grad = not_differentiable,
};
static_assert(well_formed(kRank));

}  // namespace rill
