#include "rill/graph/gradient_parts.h"
#include "rill/graph/kernel_work.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

Shapes arg_shape(const ShapeCtx& c) {
  const PartialShape& input = c.input(0);
  c.scalar(1);
  std::int64_t axis = 0;
  if (!input.has_rank()) return {PartialShape()};
  const int rank = input.rank();
  if (!c.int_value(1, &axis)) return {rank == 0 ? PartialShape() : PartialShape::of_rank(rank - 1)};
  require(axis >= -rank && axis < rank,
          when_run("Expected dimension in the range [", -rank, ", ", rank, "), but got ", axis),
          when_built("Dimension (", axis, ") must be in the range [", -rank, ", ", rank,
                     "), where ", rank, " is the number of dimensions in the input."));
  PartialShape output = PartialShape::scalar();
  for (int i = 0; i < rank; ++i)
    if (i != (axis < 0 ? axis + rank : axis)) output.add_dim(input.dim(i));
  return {output};
}

}  // namespace

extern constexpr OpDecl kArgMax{
    .name = "ArgMax",
    .doc = "The index of the largest element along a dimension, the first of several.",
    .inputs = {"input: T", "dimension: Tidx"},
    .outputs = {"output: output_type"},
    .attrs = {"T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, "
              "qint32, bfloat16, uint16, complex128, half, uint32, uint64}",
              "Tidx: {int32, int64} = DT_INT32", "output_type: {int32, int64} = DT_INT64"},
    .traits = kPure,
    .shape = arg_shape,
    .cost = per_input<1>,
    .grad = zero_grad,
};
static_assert(well_formed(kArgMax));

extern constexpr OpDecl kArgMin{
    .name = "ArgMin",
    .doc = "The index of the smallest element along a dimension, the first of several.",
    .inputs = {"input: T", "dimension: Tidx"},
    .outputs = {"output: output_type"},
    .attrs = {"T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, "
              "qint32, bfloat16, uint16, complex128, half, uint32, uint64}",
              "Tidx: {int32, int64} = DT_INT32", "output_type: {int32, int64} = DT_INT64"},
    .traits = kPure,
    .shape = arg_shape,
    .cost = per_input<1>,
    .grad = zero_grad,
};
static_assert(well_formed(kArgMin));

}  // namespace rill
