#include "rill/graph/kernel_work.h"
#include "rill/graph/op_decl.h"
#include "rill/ops/math/matmul/matmul_parts.h"

namespace rill {
namespace {

Shapes product_sum_shape(const ShapeCtx& c) {
  const int starts = static_cast<int>(c.attr<std::int64_t>("S"));
  const int count = static_cast<int>(c.attr<std::int64_t>("N"));
  require(starts <= 1, "a sum has one start, not ", starts);
  PartialShape sum = starts == 1 ? c.with_rank(0, 2) : PartialShape{kUnknownDim, kUnknownDim};
  for (int i = 0; i < count; ++i) {
    const auto [m, k] = c.matrix(starts + i, true);
    const auto [k2, n] = c.matrix(starts + count + i, false);
    require(compatible(k, k2), "Matrix size-incompatible: ", k, " and ", k2);
    sum = merge_shapes(sum, {m, n});
  }
  return {sum};
}

std::int64_t cut(int d, std::int64_t dim, std::int64_t begin, std::int64_t size) {
  require(begin >= 0 && (dim < 0 || begin <= dim), "Expected begin[", d, "] in [0, ", dim,
          "], but got ", begin);
  if (size == -1) return dim < 0 ? kUnknownDim : dim - begin;
  require(size >= 0 && (dim < 0 || size <= dim - begin), "Expected size[", d, "] in [0, ",
          dim < 0 ? dim : dim - begin, "], but got ", size);
  return size;
}

Shapes matmul_slice_shape(const ShapeCtx& c) {
  const auto [m, k] = c.matrix(0, false);
  const auto [n, k2] = c.matrix(1, false);
  require_same_depth(c, k, k2);
  for (const int i : {2, 3})
    require(compatible(c.vector(i)[0], 2),
            "Expected begin and size arguments to be 1-D tensors of size 2, but got shapes ",
            c.input(2), " and ", c.input(3), " instead.");
  std::vector<std::int64_t> begin, size;
  if (!c.int_values(2, &begin) || !c.int_values(3, &size)) return {{kUnknownDim, kUnknownDim}};
  return {{cut(0, m, begin[0], size[0]), cut(1, n, begin[1], size[1])}};
}

Shapes matmul_columns_shape(const ShapeCtx& c) {
  const auto [m, k] = c.matrix(0, false);
  const auto [n, k2] = c.matrix(1, false);
  require_same_depth(c, k, k2);
  const auto first = c.attr<std::int64_t>("first"), count = c.attr<std::int64_t>("count");
  return {{m, cut(1, n, first, count)}};
}

double product_sum_flops(const KernelWork& work) {
  double inner = 0;
  const std::size_t first = work.count("S");
  for (std::size_t i = 0; i < work.count("N"); ++i)
    inner += last_dim(work.input(first + i).shape, 1);
  return 2 * inner * work.output_elements();
}
double matmul_slice_flops(const KernelWork& work) {
  return 2 * work.output_elements() * last_dim(work.input(0).shape, 0);
}

}  // namespace

extern constexpr OpDecl kProductSum{
    .name = "_ProductSum",
    .doc =
        "start, if there is one, plus the sum of products of pairs of matrices, the first of each "
        "transposed: what the gradient of weights is that several steps use. Graph rewriting "
        "makes it.",
    .inputs = {"start: S * T", "a: N * T", "b: N * T"},
    .outputs = {"sum: T"},
    .attrs = {"T: {float}", "S: int >= 0", "N: int >= 1"},
    .traits = kPure | kInPlace,
    .shape = product_sum_shape,
    .cost = product_sum_flops,
    .grad = no_gradient,
};
static_assert(well_formed(kProductSum));

extern constexpr OpDecl kMatMulSlice{
    .name = "_MatMulSlice",
    .doc =
        "A box cut out of the product of a and the transposed b, of which the rest is not "
        "computed. Graph rewriting makes it.",
    .inputs = {"a: T", "b: T", "begin: Index", "size: Index"},
    .outputs = {"box: T"},
    .attrs = {"T: {float}", "Index: {int32, int64}"},
    .traits = kPure,
    .shape = matmul_slice_shape,
    .cost = matmul_slice_flops,
    .grad = no_gradient,
};
static_assert(well_formed(kMatMulSlice));

extern constexpr OpDecl kMatMulColumns{
    .name = "_MatMulColumns",
    .doc =
        "Some columns of the product of a and the transposed b, of which the rest is not computed. "
        "Graph rewriting makes it.",
    .inputs = {"a: T", "b: T"},
    .outputs = {"columns: T"},
    .attrs = {"T: {float}", "first: int >= 0", "count: int >= 0"},
    .traits = kPure,
    .shape = matmul_columns_shape,
    .cost = matmul_slice_flops,
    .grad = no_gradient,
};
static_assert(well_formed(kMatMulColumns));

}  // namespace rill
