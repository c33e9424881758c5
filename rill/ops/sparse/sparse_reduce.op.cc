#include "rill/graph/gradient_parts.h"
#include "rill/graph/op_decl.h"
#include "rill/ops/sparse/sparse_reduced.h"
#include "rill/ops/sparse/sparse_shape.h"

namespace rill {
namespace {

void check_inputs(const ShapeCtx& c) {
  sparse_dims(c, 0);
  const PartialShape& axes = c.input(3);
  require(!axes.has_rank() || axes.rank() <= 1,
          "Expected reduction_axes to be a scalar or a vector; got shape: ", axes);
}

Shapes dense_shape(const ShapeCtx& c) {
  check_inputs(c);
  std::vector<std::int64_t> shape, axes;
  std::int64_t axis = 0;
  if (!c.int_values(2, &shape)) return {PartialShape()};
  if (c.input(3).has_rank() && c.input(3).rank() == 0) {
    if (!c.int_value(3, &axis)) return {PartialShape()};
    axes = {axis};
  } else if (!c.int_values(3, &axes)) {
    return {PartialShape()};
  }
  for (const std::int64_t dim : shape)
    require(dim >= 0, "Expected shape dimensions to be non-negative, got ", dim);
  const Shape whole(shape);  // refuses what overflows
  const auto reduced = sparse_reduced(axes, whole.rank());
  return {PartialShape(dims_left(Dims(whole.dims()), reduced, c.flag("keep_dims")).span())};
}

Shapes sparse_shape(const ShapeCtx& c) {
  check_inputs(c);
  return sparse_output(kUnknownDim);
}

// Each value gets the gradient of the sum it went into.
void sum_grad(GradCtx& g) {
  const Output shape = g.input(2);
  const Input kept = reduced_shape(g, cast(g, shape, DType::i32), g.input(3));
  const Output dy = reshape(g, g.dy(), kept);
  const Output scale = floordiv(g, shape, shape_of(g, dy, DType::i64));
  g.set(1, g.add("GatherNd", {dy, floordiv(g, g.input(0), scale)}));
}

}  // namespace

extern constexpr OpDecl kSparseReduceSum{
    .name = "SparseReduceSum",
    .doc = "Sums of the elements of a sparse tensor along axes, as a dense tensor.",
    .inputs = {"input_indices: int64", "input_values: T", "input_shape: int64",
               "reduction_axes: int32"},
    .outputs = {"output: T"},
    .attrs = {"keep_dims: bool = false",
              "T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, "
              "qint32, bfloat16, uint16, complex128, half, uint32, uint64}"},
    .traits = kPure,
    .shape = dense_shape,
    .grad = sum_grad,
};
static_assert(well_formed(kSparseReduceSum));

extern constexpr OpDecl kSparseReduceSumSparse{
    .name = "SparseReduceSumSparse",
    .doc = "Sums of the elements of a sparse tensor along axes, as a sparse tensor.",
    .inputs = {"input_indices: int64", "input_values: T", "input_shape: int64",
               "reduction_axes: int32"},
    .outputs = {"output_indices: int64", "output_values: T", "output_shape: int64"},
    .attrs = {"keep_dims: bool = false",
              "T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, "
              "qint32, bfloat16, uint16, complex128, half, uint32, uint64}"},
    .traits = kPure | kDataDependentShape,
    .shape = sparse_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kSparseReduceSumSparse));

extern constexpr OpDecl kSparseReduceMax{
    .name = "SparseReduceMax",
    .doc =
        "The largest of the elements that a sparse tensor has along axes, as a dense tensor; zero "
        "where there are none.",
    .inputs = {"input_indices: int64", "input_values: T", "input_shape: int64",
               "reduction_axes: int32"},
    .outputs = {"output: T"},
    .attrs = {"keep_dims: bool = false",
              "T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, "
              "uint32, uint64}"},
    .traits = kPure,
    .shape = dense_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kSparseReduceMax));

extern constexpr OpDecl kSparseReduceMaxSparse{
    .name = "SparseReduceMaxSparse",
    .doc = "The largest of the elements that a sparse tensor has along axes, as a sparse tensor.",
    .inputs = {"input_indices: int64", "input_values: T", "input_shape: int64",
               "reduction_axes: int32"},
    .outputs = {"output_indices: int64", "output_values: T", "output_shape: int64"},
    .attrs = {"keep_dims: bool = false",
              "T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, "
              "uint32, uint64}"},
    .traits = kPure | kDataDependentShape,
    .shape = sparse_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kSparseReduceMaxSparse));

}  // namespace rill
