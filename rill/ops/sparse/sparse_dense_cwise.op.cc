#include "rill/graph/gradient_parts.h"
#include "rill/graph/op_decl.h"
#include "rill/ops/sparse/sparse_shape.h"

namespace rill {
namespace {

Shapes cwise_shape(const ShapeCtx& c) { return {{sparse_dims(c, 0).count}}; }

void no_add_grad(GradCtx&) {
  raise(Code::kUnimplemented, "Gradient for SparseDenseCwiseAdd is currently not implemented yet.");
}

// The elements of the dense operand that met the sparse ones, and where they are.
struct Met {
  Output indices, values;
};

Met met_elements(GradCtx& g) {
  const Output dense = g.input(3);
  const Output dense_shape = shape_of(g, dense, DType::i64);
  const Output missing = sub(g, size_of(g, g.input(2)), rank_of(g, dense));
  const Output ones = g.add("Fill", {expand_dims(g, missing, 0), number(g, 1, DType::i64)});
  const Output long_shape = concat(g, {ones, dense_shape});
  // A dimension of the sparse shape is that of the dense one, or that many repeats of it.
  const Output repeated = floordiv(g, g.input(2), long_shape);
  const Output scaled = floordiv(g, g.input(0), repeated);
  const Output begin = g.add("Pack", {std::vector<Input>{number(g, 0, DType::i32), missing}});
  const std::int64_t all[] = {-1, -1};
  const Output places = g.add("Slice", {scaled, begin, int_vector(all)});
  return {places, g.add("GatherNd", {dense, places})};
}

void set_gradients(GradCtx& g, const Met& met, Output for_values, Output for_dense) {
  const Output dense = g.input(3);
  g.set(1, for_values);
  g.set(3, g.add("SparseTensorDenseAdd",
                 {met.indices, for_dense, shape_of(g, dense, DType::i64), zeros_like(g, dense)}));
}

void mul_grad(GradCtx& g) {
  const Met met = met_elements(g);
  set_gradients(g, met, mul(g, g.dy(), met.values), mul(g, g.dy(), g.input(1)));
}

void div_grad(GradCtx& g) {
  const Met met = met_elements(g);
  const Output slope = truediv(g, neg(g, g.input(1)), square(g, met.values));
  set_gradients(g, met, truediv(g, g.dy(), met.values), mul(g, g.dy(), slope));
}

}  // namespace

extern constexpr OpDecl kSparseDenseCwiseAdd{
    .name = "SparseDenseCwiseAdd",
    .doc = "The elements of a sparse tensor plus those of a dense one, which is broadcast to it.",
    .inputs = {"sp_indices: int64", "sp_values: T", "sp_shape: int64", "dense: T"},
    .outputs = {"output: T"},
    .attrs = {"T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, "
              "qint32, bfloat16, uint16, complex128, half, uint32, uint64}"},
    .traits = kPure,
    .shape = cwise_shape,
    .grad = no_add_grad,
};
static_assert(well_formed(kSparseDenseCwiseAdd));

extern constexpr OpDecl kSparseDenseCwiseMul{
    .name = "SparseDenseCwiseMul",
    .doc = "The elements of a sparse tensor times those of a dense one, which is broadcast to it.",
    .inputs = {"sp_indices: int64", "sp_values: T", "sp_shape: int64", "dense: T"},
    .outputs = {"output: T"},
    .attrs = {"T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, "
              "qint32, bfloat16, uint16, complex128, half, uint32, uint64}"},
    .traits = kPure,
    .shape = cwise_shape,
    .grad = mul_grad,
};
static_assert(well_formed(kSparseDenseCwiseMul));

extern constexpr OpDecl kSparseDenseCwiseDiv{
    .name = "SparseDenseCwiseDiv",
    .doc = "The elements of a sparse tensor over those of a dense one, which is broadcast to it.",
    .inputs = {"sp_indices: int64", "sp_values: T", "sp_shape: int64", "dense: T"},
    .outputs = {"output: T"},
    .attrs = {"T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, "
              "qint32, bfloat16, uint16, complex128, half, uint32, uint64}"},
    .traits = kPure,
    .shape = cwise_shape,
    .grad = div_grad,
};
static_assert(well_formed(kSparseDenseCwiseDiv));

}  // namespace rill
