#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"
#include "rill/ops/math/reduction_axes.h"

namespace rill {
namespace {

// The axes are input 1. Without their value only the rank may be known, and that only when
// dimensions are kept.
Shapes reduction_shape(const ShapeCtx& c) {
  const PartialShape& axes_shape = c.input(1);
  require(!axes_shape.has_rank() || axes_shape.rank() <= 1,
          "Shape must be at most rank 1 but is rank ", axes_shape.rank(), " for reduction indices");
  const PartialShape& input = c.input(0);
  const bool keep_dims = c.flag("keep_dims");
  if (!input.has_rank()) return {PartialShape()};
  const Tensor* axes = c.value(1);
  if (axes == nullptr) return {keep_dims ? PartialShape::of_rank(input.rank()) : PartialShape()};
  const auto reduced = reduced_dims(*axes, input.rank());
  PartialShape output = PartialShape::scalar();
  for (int i = 0; i < input.rank(); ++i) {
    const bool is_reduced = reduced[static_cast<std::size_t>(i)];
    if (!is_reduced || keep_dims) output.add_dim(is_reduced ? 1 : input.dim(i));
  }
  return {output};
}

}  // namespace

extern constexpr OpDecl kSum{
    .name = "Sum",
    .doc = "The sum of the elements over the given axes; of none, 0.",
    .inputs = {"input: T", "reduction_indices: Tidx"},
    .outputs = {"output: T"},
    .attrs = {"keep_dims: bool = false",
              "T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, "
              "qint32, bfloat16, uint16, complex128, half, uint32, uint64}",
              "Tidx: {int32, int64} = DT_INT32"},
    .traits = kPure,
    .shape = reduction_shape,
};
static_assert(well_formed(kSum));

extern constexpr OpDecl kMean{
    .name = "Mean",
    .doc = "The mean of the elements over the given axes; integers round towards zero.",
    .inputs = {"input: T", "reduction_indices: Tidx"},
    .outputs = {"output: T"},
    .attrs = {"keep_dims: bool = false",
              "T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, "
              "qint32, bfloat16, uint16, complex128, half, uint32, uint64}",
              "Tidx: {int32, int64} = DT_INT32"},
    .traits = kPure,
    .shape = reduction_shape,
};
static_assert(well_formed(kMean));

extern constexpr OpDecl kProd{
    .name = "Prod",
    .doc = "The product of the elements over the given axes; of none, 1.",
    .inputs = {"input: T", "reduction_indices: Tidx"},
    .outputs = {"output: T"},
    .attrs = {"keep_dims: bool = false",
              "T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, "
              "qint32, bfloat16, uint16, complex128, half, uint32, uint64}",
              "Tidx: {int32, int64} = DT_INT32"},
    .traits = kPure,
    .shape = reduction_shape,
};
static_assert(well_formed(kProd));

extern constexpr OpDecl kMax{
    .name = "Max",
    .doc = "The largest element over the given axes; NaN when there is one.",
    .inputs = {"input: T", "reduction_indices: Tidx"},
    .outputs = {"output: T"},
    .attrs = {"keep_dims: bool = false",
              "T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, "
              "qint32, bfloat16, uint16, complex128, half, uint32, uint64}",
              "Tidx: {int32, int64} = DT_INT32"},
    .traits = kPure,
    .shape = reduction_shape,
};
static_assert(well_formed(kMax));

extern constexpr OpDecl kMin{
    .name = "Min",
    .doc = "The smallest element over the given axes; NaN when there is one.",
    .inputs = {"input: T", "reduction_indices: Tidx"},
    .outputs = {"output: T"},
    .attrs = {"keep_dims: bool = false",
              "T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, "
              "qint32, bfloat16, uint16, complex128, half, uint32, uint64}",
              "Tidx: {int32, int64} = DT_INT32"},
    .traits = kPure,
    .shape = reduction_shape,
};
static_assert(well_formed(kMin));

extern constexpr OpDecl kEuclideanNorm{
    .name = "EuclideanNorm",
    .doc = "The square root of the sum of the squared magnitudes over the given axes.",
    .inputs = {"input: T", "reduction_indices: Tidx"},
    .outputs = {"output: T"},
    .attrs = {"keep_dims: bool = false",
              "T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, "
              "qint32, bfloat16, uint16, complex128, half, uint32, uint64}",
              "Tidx: {int32, int64} = DT_INT32"},
    .traits = kPure,
    .shape = reduction_shape,
    .grad = not_differentiable,
};
static_assert(well_formed(kEuclideanNorm));

extern constexpr OpDecl kAll{
    .name = "All",
    .doc = "Whether all elements over the given axes are true.",
    .inputs = {"input: bool", "reduction_indices: Tidx"},
    .outputs = {"output: bool"},
    .attrs = {"keep_dims: bool = false", "Tidx: {int32, int64} = DT_INT32"},
    .traits = kPure,
    .shape = reduction_shape,
};
static_assert(well_formed(kAll));

extern constexpr OpDecl kAny{
    .name = "Any",
    .doc = "Whether any element over the given axes is true.",
    .inputs = {"input: bool", "reduction_indices: Tidx"},
    .outputs = {"output: bool"},
    .attrs = {"keep_dims: bool = false", "Tidx: {int32, int64} = DT_INT32"},
    .traits = kPure,
    .shape = reduction_shape,
};
static_assert(well_formed(kAny));

}  // namespace rill
