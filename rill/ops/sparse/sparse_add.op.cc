#include "rill/graph/gradient_parts.h"
#include "rill/graph/op_decl.h"
#include "rill/ops/sparse/sparse_shape.h"

namespace rill {
namespace {

// The rank that both operands have.
std::int64_t common_rank(const ShapeCtx& c) {
  const SparseDims a = sparse_dims(c, 0), b = sparse_dims(c, 3);
  require(compatible(a.rank, b.rank), "Operands do not have the same ranks; got ", a.rank, " and ",
          b.rank);
  return merge_dim(a.rank, b.rank);
}

Shapes sparse_add_shape(const ShapeCtx& c) {
  c.scalar(6);
  return sparse_output(common_rank(c));
}

Shapes sparse_merge_shape(const ShapeCtx& c) {
  const std::int64_t rank = common_rank(c);
  return {{kUnknownDim, rank}, {kUnknownDim}};
}

void sparse_add_grad(GradCtx& g) {
  Node& both = g.scope().add("SparseAddGrad", {g.dy(1), g.input(0), g.input(3), g.output(0)});
  g.set(1, both.output(0));
  g.set(4, both.output(1));
}

Shapes sparse_add_grad_shape(const ShapeCtx& c) {
  c.vector(0);
  const PartialShape a = c.with_rank(1, 2), b = c.with_rank(2, 2), sum = c.with_rank(3, 2);
  require(compatible(a.dim(1), b.dim(1)) && compatible(a.dim(1), sum.dim(1)) &&
              compatible(b.dim(1), sum.dim(1)),
          "The densified operands should have the same ndims; for A, B, sum got: ", a.dim(1), ", ",
          b.dim(1), ", ", sum.dim(1));
  return {{a.dim(0)}, {b.dim(0)}};
}

void no_extreme_grad(GradCtx& g) {
  raise(Code::kUnimplemented, "Gradient for ", g.node().op().name,
        " is currently not implemented yet.");
}

}  // namespace

extern constexpr OpDecl kSparseAdd{
    .name = "SparseAdd",
    .doc = "The sum of two sparse tensors in row-major order, without sums smaller than `thresh`.",
    .inputs = {"a_indices: int64", "a_values: T", "a_shape: int64", "b_indices: int64",
               "b_values: T", "b_shape: int64", "thresh: Treal"},
    .outputs = {"sum_indices: int64", "sum_values: T", "sum_shape: int64"},
    .attrs = {"T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, "
              "qint32, bfloat16, uint16, complex128, half, uint32, uint64}",
              "Treal: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, "
              "uint32, uint64}"},
    .traits = kPure | kDataDependentShape,
    .shape = sparse_add_shape,
    .grad = sparse_add_grad,
};
static_assert(well_formed(kSparseAdd));

extern constexpr OpDecl kSparseAddGrad{
    .name = "SparseAddGrad",
    .doc = "The gradients of both operands of SparseAdd; zero where a sum was left out.",
    .inputs = {"backprop_val_grad: T", "a_indices: int64", "b_indices: int64",
               "sum_indices: int64"},
    .outputs = {"a_val_grad: T", "b_val_grad: T"},
    .attrs = {"T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, "
              "qint32, bfloat16, uint16, complex128, half, uint32, uint64}"},
    .traits = kPure,
    .shape = sparse_add_grad_shape,
    .grad = not_differentiable,
};
static_assert(well_formed(kSparseAddGrad));

extern constexpr OpDecl kSparseSparseMaximum{
    .name = "SparseSparseMaximum",
    .doc = "The larger elements of two sparse tensors; one that only one of them has meets zero.",
    .inputs = {"a_indices: int64", "a_values: T", "a_shape: int64", "b_indices: int64",
               "b_values: T", "b_shape: int64"},
    .outputs = {"output_indices: int64", "output_values: T"},
    .attrs = {"T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, "
              "uint32, uint64}"},
    .traits = kPure | kDataDependentShape,
    .shape = sparse_merge_shape,
    .grad = no_extreme_grad,
};
static_assert(well_formed(kSparseSparseMaximum));

extern constexpr OpDecl kSparseSparseMinimum{
    .name = "SparseSparseMinimum",
    .doc = "The smaller elements of two sparse tensors; one that only one of them has meets zero.",
    .inputs = {"a_indices: int64", "a_values: T", "a_shape: int64", "b_indices: int64",
               "b_values: T", "b_shape: int64"},
    .outputs = {"output_indices: int64", "output_values: T"},
    .attrs = {"T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, "
              "qint32, bfloat16, uint16, complex128, half, uint32, uint64}"},
    .traits = kPure | kDataDependentShape,
    .shape = sparse_merge_shape,
    .grad = no_extreme_grad,
};
static_assert(well_formed(kSparseSparseMinimum));

}  // namespace rill
