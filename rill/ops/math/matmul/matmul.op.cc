#include "rill/graph/op_decl.h"
#include "rill/ops/math/matmul/matmul_parts.h"
#include "rill/ops/math/matmul/product_cost.h"

namespace rill {
namespace {

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
  return batch_product(c, x, y, merge_shapes(batch_dims(x), batch_dims(y)));
}

Shapes batch_matmul_v2_shape(const ShapeCtx& c) {
  const auto x = c.with_rank_at_least(0, 2), y = c.with_rank_at_least(1, 2);
  return batch_product(c, x, y, broadcast_together(batch_dims(x), batch_dims(y)));
}

// TensorFlow conjugates the factors of complex products first.
void matmul_grad(GradCtx& g) {
  const Output a = conj(g, g.input(0)), b = conj(g, g.input(1));
  const auto product = [&](Output x, Output y, bool tx, bool ty) {
    const auto factor = [&](Output o) { return o == g.input(0) ? a : o == g.input(1) ? b : o; };
    return g.add("MatMul", {factor(x), factor(y)}, {{"transpose_a", tx}, {"transpose_b", ty}});
  };
  product_grads(g, g.attr<bool>("transpose_a"), g.attr<bool>("transpose_b"), product);
}

void batch_matmul_grads(GradCtx& g, const char* op) {
  const auto product = [&](Output x, Output y, bool ax, bool ay) {
    return g.add(op, {x, y}, {{"adj_x", ax}, {"adj_y", ay}}, "MatMul");
  };
  product_grads(g, g.attr<bool>("adj_x"), g.attr<bool>("adj_y"), product);
}

void batch_matmul_grad(GradCtx& g) { batch_matmul_grads(g, "BatchMatMul"); }

// The batch dimensions may have been broadcast.
void batch_matmul_v2_grad(GradCtx& g) {
  batch_matmul_grads(g, "BatchMatMulV2");
  const PartialShape &x = g.input(0).shape(), &y = g.input(1).shape();
  const auto batch = [](const PartialShape& s) {
    return PartialShape(s.dims().first(static_cast<std::size_t>(s.rank() - 2)));
  };
  if (x.has_rank() && y.has_rank() && batch(x).is_full() && batch(x) == batch(y)) return;
  const Output shape_x = shape_of(g, g.input(0)), shape_y = shape_of(g, g.input(1));
  const Output batch_x = slice_vector(g, shape_x, {}, -2);
  const Output batch_y = slice_vector(g, shape_y, {}, -2);
  Node& axes = g.scope().add("BroadcastGradientArgs", {batch_x, batch_y});
  const auto sum_to = [&](int input, Output shape) {
    const Output sum = g.add("Sum", {g.leaving(input).dense(), axes.output(input)});
    g.set(input, reshape(g, sum, shape));
  };
  sum_to(0, shape_x);
  sum_to(1, shape_y);
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
    .shape = matrix_product_shape,
    .cost = product_flops,
    .grad = matmul_grad,
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
    .cost = product_flops,
    .grad = batch_matmul_grad,
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
    .cost = product_flops,
    .grad = batch_matmul_v2_grad,
};
static_assert(well_formed(kBatchMatMulV2));

extern constexpr OpDecl kLoweredBatchMatMul{
    .name = "_LoweredBatchMatMul",
    .doc =
        "BatchMatMulV2 of floats that may be rounded to bfloat16 before they are multiplied. Graph "
        "rewriting makes it.",
    .inputs = {"x: T", "y: T"},
    .outputs = {"output: T"},
    .attrs = {"T: {float}", "adj_x: bool = false", "adj_y: bool = false"},
    .traits = kPure,
    .shape = batch_matmul_v2_shape,
    .cost = product_flops,
    .grad = no_gradient,
};
static_assert(well_formed(kLoweredBatchMatMul));

}  // namespace rill
