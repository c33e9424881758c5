#include "rill/graph/gradient_parts.h"
#include "rill/graph/op_decl.h"
#include "rill/ops/sparse/sparse_shape.h"

namespace rill {
namespace {

Shapes sparse_concat_shape(const ShapeCtx& c) {
  const int n = c.input_count() / 3;
  std::int64_t count = 0, rank = kUnknownDim;
  for (int i = 0; i < n; ++i) {
    const SparseDims dims = sparse_dims(c, i, n + i, 2 * n + i);
    require(compatible(rank, dims.rank), "Ranks of all input tensors must match: expected ", rank,
            " but got ", dims.rank, " at position ", i);
    rank = merge_dim(rank, dims.rank);
    count = count < 0 || dims.count < 0 ? kUnknownDim : count + dims.count;
  }
  return {{count, rank}, {count}, {rank}};
}

Shapes sparse_split_shape(const ShapeCtx& c) {
  c.scalar(0);
  const SparseDims dims = sparse_dims(c, 1);
  Shapes out;
  const int n = c.output_count() / 3;
  for (int i = 0; i < n; ++i) out.push_back({kUnknownDim, dims.rank});
  for (int i = 0; i < n; ++i) out.push_back({kUnknownDim});
  for (int i = 0; i < n; ++i) out.push_back({dims.rank});
  return out;
}

}  // namespace

extern constexpr OpDecl kSparseConcat{
    .name = "SparseConcat",
    .doc = "Sparse tensors one behind the other along a dimension, in row-major order.",
    .inputs = {"indices: N * int64", "values: N * T", "shapes: N * int64"},
    .outputs = {"output_indices: int64", "output_values: T", "output_shape: int64"},
    .attrs = {"concat_dim: int", "N: int >= 2", "T: type"},
    .traits = kPure,
    .shape = sparse_concat_shape,
    .grad = not_differentiable,
};
static_assert(well_formed(kSparseConcat));

extern constexpr OpDecl kSparseSplit{
    .name = "SparseSplit",
    .doc =
        "A sparse tensor in parts along a dimension; the first ones are longer by one if needed.",
    .inputs = {"split_dim: int64", "indices: int64", "values: T", "shape: int64"},
    .outputs = {"output_indices: num_split * int64", "output_values: num_split * T",
                "output_shape: num_split * int64"},
    .attrs = {"num_split: int >= 1", "T: type"},
    .traits = kPure | kDataDependentShape,
    .shape = sparse_split_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kSparseSplit));

}  // namespace rill
