#include "rill/graph/op_decl.h"
#include "rill/ops/math/matmul/matmul_parts.h"

namespace rill {
namespace {

// tf.matmul: SparseMatMul where a factor is said to be sparse or the types differ.
Output tf_matmul(GradCtx& g, Output x, Output y, bool turn_x, bool x_sparse, bool y_sparse) {
  const DType tx = base_type(x.dtype()), ty = base_type(y.dtype());
  const AttrMap turned = {{"transpose_a", turn_x}, {"transpose_b", false}};
  if (!x_sparse && !y_sparse && tx == ty) return g.add("MatMul", {x, y}, turned);
  AttrMap attrs = turned;
  attrs.emplace("a_is_sparse", x_sparse);
  attrs.emplace("b_is_sparse", y_sparse);
  const Output product = g.add("SparseMatMul", {x, y}, attrs, "MatMul");
  const bool both_narrow = tx == DType::bf16 && ty == DType::bf16;
  return both_narrow ? cast(g, product, DType::bf16) : product;
}

// A gradient that comes out of a Relu is taken for sparse.
void sparse_matmul_grad(GradCtx& g) {
  const auto is_sparse = [&](Output o) {
    if (o == g.input(0)) return g.attr<bool>("a_is_sparse");
    if (o == g.input(1)) return g.attr<bool>("b_is_sparse");
    return o.node->op().name == "ReluGrad";
  };
  const auto product = [&](Output x, Output y, bool turn_x, bool turn_y) {
    const bool x_sparse = is_sparse(x), y_sparse = is_sparse(y);
    if (turn_y) y = transpose(g, y, int_vector(std::vector<std::int64_t>{1, 0}));
    return tf_matmul(g, x, y, turn_x, x_sparse, y_sparse);
  };
  product_grads(g, g.attr<bool>("transpose_a"), g.attr<bool>("transpose_b"), product);
  for (int i = 0; i < 2; ++i)
    g.set(i, cast(g, g.leaving(i).dense(), base_type(g.input(i).dtype())));
}

}  // namespace

extern constexpr OpDecl kSparseMatMul{
    .name = "SparseMatMul",
    .doc = "The product of two matrices, of which one or both are said to hold many zeros.",
    .inputs = {"a: Ta", "b: Tb"},
    .outputs = {"product: float"},
    .attrs = {"transpose_a: bool = false", "transpose_b: bool = false", "a_is_sparse: bool = false",
              "b_is_sparse: bool = false", "Ta: {float, bfloat16} = DT_FLOAT",
              "Tb: {float, bfloat16} = DT_FLOAT"},
    .traits = kPure,
    .shape = matrix_product_shape,
    .grad = sparse_matmul_grad,
};
static_assert(well_formed(kSparseMatMul));

}  // namespace rill
