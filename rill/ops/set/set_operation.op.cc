#include "rill/graph/op_decl.h"
#include "rill/ops/sparse/sparse_shape.h"

namespace rill {
namespace {

// The rank of a dense set, -1 when unknown.
std::int64_t dense_rank(const ShapeCtx& c, int i) {
  const PartialShape shape = c.with_rank_at_least(i, 2);
  return shape.has_rank() ? shape.rank() : kUnknownDim;
}

Shapes result(std::int64_t rank1, std::int64_t rank2) {
  for (const std::int64_t rank : {rank1, rank2})
    require(rank < 0 || rank >= 2, "Input rank ", rank, " must be at least 2");
  require(compatible(rank1, rank2), "Ranks do not match: ", rank1, " and ", rank2);
  return sparse_output(merge_dim(rank1, rank2));
}

Shapes size_shape(const ShapeCtx& c) {
  const SparseDims dims = sparse_dims(c, 0);
  require(dims.rank < 0 || dims.rank >= 2, "Invalid rank ", dims.rank, ".");
  // Programs build other nodes where a rank is known, and TensorFlow does not tell this one.
  return {PartialShape()};
}

Shapes dense_dense_shape(const ShapeCtx& c) { return result(dense_rank(c, 0), dense_rank(c, 1)); }
Shapes dense_sparse_shape(const ShapeCtx& c) {
  return result(dense_rank(c, 0), sparse_dims(c, 1).rank);
}
Shapes sparse_sparse_shape(const ShapeCtx& c) {
  return result(sparse_dims(c, 0).rank, sparse_dims(c, 3).rank);
}

}  // namespace

extern constexpr OpDecl kSetSize{
    .name = "SetSize",
    .doc = "How many different elements each row of a sparse tensor has.",
    .inputs = {"set_indices: int64", "set_values: T", "set_shape: int64"},
    .outputs = {"size: int32"},
    .attrs = {"validate_indices: bool = true",
              "T: {int8, int16, int32, int64, uint8, uint16, string}"},
    .traits = kPure | kDataDependentShape,
    .shape = size_shape,
    .grad = not_differentiable,
};
static_assert(well_formed(kSetSize));

extern constexpr OpDecl kDenseToDenseSetOperation{
    .name = "DenseToDenseSetOperation",
    .doc = "Of each two rows of dense tensors, as sets: a-b, b-a, intersection or union.",
    .inputs = {"set1: T", "set2: T"},
    .outputs = {"result_indices: int64", "result_values: T", "result_shape: int64"},
    .attrs = {"set_operation: string", "validate_indices: bool = true",
              "T: {int8, int16, int32, int64, uint8, uint16, string}"},
    .traits = kPure | kDataDependentShape,
    .shape = dense_dense_shape,
    .grad = not_differentiable,
};
static_assert(well_formed(kDenseToDenseSetOperation));

extern constexpr OpDecl kDenseToSparseSetOperation{
    .name = "DenseToSparseSetOperation",
    .doc =
        "Of each row of a dense and of a sparse tensor, as sets: a-b, b-a, intersection or union.",
    .inputs = {"set1: T", "set2_indices: int64", "set2_values: T", "set2_shape: int64"},
    .outputs = {"result_indices: int64", "result_values: T", "result_shape: int64"},
    .attrs = {"set_operation: string", "validate_indices: bool = true",
              "T: {int8, int16, int32, int64, uint8, uint16, string}"},
    .traits = kPure | kDataDependentShape,
    .shape = dense_sparse_shape,
    .grad = not_differentiable,
};
static_assert(well_formed(kDenseToSparseSetOperation));

extern constexpr OpDecl kSparseToSparseSetOperation{
    .name = "SparseToSparseSetOperation",
    .doc = "Of each two rows of sparse tensors, as sets: a-b, b-a, intersection or union.",
    .inputs = {"set1_indices: int64", "set1_values: T", "set1_shape: int64", "set2_indices: int64",
               "set2_values: T", "set2_shape: int64"},
    .outputs = {"result_indices: int64", "result_values: T", "result_shape: int64"},
    .attrs = {"set_operation: string", "validate_indices: bool = true",
              "T: {int8, int16, int32, int64, uint8, uint16, string}"},
    .traits = kPure | kDataDependentShape,
    .shape = sparse_sparse_shape,
    .grad = not_differentiable,
};
static_assert(well_formed(kSparseToSparseSetOperation));

}  // namespace rill
