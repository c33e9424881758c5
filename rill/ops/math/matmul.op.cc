#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

void require_same_depth(const ShapeCtx& c, std::int64_t k_a, std::int64_t k_b) {
  require(compatible(k_a, k_b), "Matrix size-incompatible: In[0]: ", c.input(0),
          ", In[1]: ", c.input(1), "; Dimensions must be equal, but are ", k_a, " and ", k_b);
}

Shapes matmul_shape(const ShapeCtx& c) {
  const auto [m, k] = c.matrix(0, c.flag("transpose_a"));
  const auto [k2, n] = c.matrix(1, c.flag("transpose_b"));
  require_same_depth(c, k, k2);
  return {{m, n}};
}

// The leading dimensions of a batch of matrices; unknown when its rank is.
PartialShape batch_dims(const PartialShape& x) {
  if (!x.has_rank()) return {};
  return PartialShape(x.dims().first(static_cast<std::size_t>(x.rank() - 2)));
}

// Appends what op(x) times op(y) adds to the shape of the batch.
Shapes batch_product(const ShapeCtx& c, const PartialShape& x, const PartialShape& y,
                     PartialShape batch) {
  const bool adj_x = c.flag("adj_x"), adj_y = c.flag("adj_y");
  const auto dim = [](const PartialShape& s, int from_end) {
    return s.has_rank() ? s.dim(s.rank() - from_end) : kUnknownDim;
  };
  require_same_depth(c, dim(x, adj_x ? 2 : 1), dim(y, adj_y ? 1 : 2));
  if (!batch.has_rank()) return {PartialShape()};
  batch.add_dim(dim(x, adj_x ? 1 : 2));
  batch.add_dim(dim(y, adj_y ? 2 : 1));
  return {batch};
}

Shapes batch_matmul_shape(const ShapeCtx& c) {
  const auto x = c.with_rank_at_least(0, 2), y = c.with_rank_at_least(1, 2);
  return batch_product(c, x, y, batch_dims(x).merged(batch_dims(y)));
}

Shapes batch_matmul_v2_shape(const ShapeCtx& c) {
  const auto x = c.with_rank_at_least(0, 2), y = c.with_rank_at_least(1, 2);
  return batch_product(c, x, y, broadcast(batch_dims(x), batch_dims(y)));
}

}  // namespace

extern constexpr OpDecl kMatMul{
    .name = "MatMul",
    .doc = "The product of two matrices, either of which may be transposed first.",
    .inputs = {"a: T", "b: T"},
    .outputs = {"product: T"},
    .attrs = {"transpose_a: bool = false", "transpose_b: bool = false",
              "T: {bfloat16, half, float, double, int32, int64, complex64, complex128}"},
    .traits = kPure,
    .shape = matmul_shape,
};
static_assert(well_formed(kMatMul));

extern constexpr OpDecl kBatchMatMul{
    .name = "BatchMatMul",
    .doc =
        "The products of two equally shaped batches of matrices; adj_x and adj_y take the "
        "conjugate transpose of an operand first.",
    .inputs = {"x: T", "y: T"},
    .outputs = {"output: T"},
    .attrs = {"T: {bfloat16, half, float, double, int32, int64, complex64, complex128}",
              "adj_x: bool = false", "adj_y: bool = false"},
    .traits = kPure,
    .shape = batch_matmul_shape,
};
static_assert(well_formed(kBatchMatMul));

extern constexpr OpDecl kBatchMatMulV2{
    .name = "BatchMatMulV2",
    .doc =
        "The products of two batches of matrices whose leading dimensions broadcast; adj_x and "
        "adj_y take the conjugate transpose of an operand first.",
    .inputs = {"x: T", "y: T"},
    .outputs = {"output: T"},
    .attrs = {"T: {bfloat16, half, float, double, int32, int64, complex64, complex128}",
              "adj_x: bool = false", "adj_y: bool = false"},
    .traits = kPure,
    .shape = batch_matmul_v2_shape,
};
static_assert(well_formed(kBatchMatMulV2));

}  // namespace rill
