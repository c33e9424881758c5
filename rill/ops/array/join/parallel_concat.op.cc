#include "rill/graph/kernel_work.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

PartialShape stated_shape(const ShapeCtx& c) {
  const auto& shape = c.attr<PartialShape>("shape");
  require(shape.is_full(), "shape attr must be fully defined, but is ", shape);
  return shape;
}

Shapes parallel_concat_shape(const ShapeCtx& c) {
  const PartialShape shape = stated_shape(c);
  require(shape.rank() > 0 && shape.dim(0) == c.input_count(), "shape must have ", c.input_count(),
          " rows, one for each value, but is ", shape);
  for (int i = 0; i < c.input_count(); ++i) {
    const PartialShape& value = c.input(i);
    require(!value.has_rank() || (value.rank() > 0 && compatible(value.dim(0), 1)),
            "Size of first dimension must be 1.");
    (void)merge_shapes(shape.with_dim(0, 1), value);
  }
  return {shape};
}

Shapes start_shape(const ShapeCtx& c) { return {stated_shape(c)}; }

}  // namespace

extern constexpr OpDecl kParallelConcat{
    .name = "ParallelConcat",
    .doc = "A tensor of the shape stated whose rows are the values, of one row each.",
    .inputs = {"values: N * T"},
    .outputs = {"output: T"},
    .attrs = {"N: int >= 1", "T: type", "shape: shape"},
    .traits = kPure,
    .shape = parallel_concat_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kParallelConcat));

extern constexpr OpDecl kParallelConcatStart{
    .name = "_ParallelConcatStart",
    .doc = "A tensor of the shape stated, for _ParallelConcatUpdate to fill.",
    .outputs = {"output: dtype"},
    .attrs = {"shape: shape", "dtype: type"},
    .traits = kStateful,
    .shape = start_shape,
    .cost = no_flops,
    .grad = no_gradient,
};
static_assert(well_formed(kParallelConcatStart));

extern constexpr OpDecl kParallelConcatUpdate{
    .name = "_ParallelConcatUpdate",
    .doc = "`value` with row `loc`, which may count from the end, replaced by `update`.",
    .inputs = {"value: T", "update: T"},
    .outputs = {"output: T"},
    .attrs = {"T: type", "loc: int"},
    .traits = kPure | kInPlace,
    .shape = same_as_input,
    .cost = no_flops,
    .grad = no_gradient,
};
static_assert(well_formed(kParallelConcatUpdate));

}  // namespace rill
