#include "rill/graph/gradient_parts.h"
#include "rill/graph/op_decl.h"
#include "rill/ops/sparse/sparse_shape.h"

namespace rill {
namespace {

Shapes sparse_slice_shape(const ShapeCtx& c) {
  const SparseDims dims = sparse_dims(c, 0);
  const PartialShape start = c.vector(3), size = c.vector(4);
  for (const PartialShape& bound : {start, size})
    require(compatible(bound.dim(0), dims.rank), "Expected start and size to be vectors of length ",
            dims.rank, " but got length ", bound.dim(0));
  return sparse_output(dims.rank);
}

void sparse_slice_grad(GradCtx& g) {
  g.set(1, g.add("SparseSliceGrad", {g.dy(1), g.input(0), g.input(3), g.output(0)}));
}

Shapes sparse_slice_grad_shape(const ShapeCtx& c) {
  c.vector(0);
  const PartialShape in = c.with_rank(1, 2), start = c.vector(2), out = c.with_rank(3, 2);
  require(compatible(in.dim(1), out.dim(1)),
          "The input and output should have the same ndims: got: ", in.dim(1), " and ", out.dim(1));
  require(compatible(in.dim(1), start.dim(0)), "Expected input_start to be a vector of length ",
          in.dim(1), " but got length ", start.dim(0));
  return {{in.dim(0)}};
}

}  // namespace

extern constexpr OpDecl kSparseSlice{
    .name = "SparseSlice",
    .doc = "The elements of a sparse tensor in the box of `size` at `start`, counted from there.",
    .inputs = {"indices: int64", "values: T", "shape: int64", "start: int64", "size: int64"},
    .outputs = {"output_indices: int64", "output_values: T", "output_shape: int64"},
    .attrs = {"T: type"},
    .traits = kPure | kDataDependentShape,
    .shape = sparse_slice_shape,
    .grad = sparse_slice_grad,
};
static_assert(well_formed(kSparseSlice));

extern constexpr OpDecl kSparseSliceGrad{
    .name = "SparseSliceGrad",
    .doc = "The gradient of SparseSlice: that of its output where an element was taken, else zero.",
    .inputs = {"backprop_val_grad: T", "input_indices: int64", "input_start: int64",
               "output_indices: int64"},
    .outputs = {"val_grad: T"},
    .attrs = {"T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, "
              "qint32, bfloat16, uint16, complex128, half, uint32, uint64}"},
    .traits = kPure,
    .shape = sparse_slice_grad_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kSparseSliceGrad));

}  // namespace rill
