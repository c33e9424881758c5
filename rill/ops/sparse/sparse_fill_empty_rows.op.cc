#include "rill/graph/gradient_parts.h"
#include "rill/graph/op_decl.h"
#include "rill/ops/sparse/sparse_shape.h"

namespace rill {
namespace {

Shapes fill_shape(const ShapeCtx& c) {
  const SparseDims dims = sparse_dims(c, 0);
  c.scalar(3);
  std::vector<std::int64_t> shape;
  const std::int64_t rows =
      c.int_values(2, &shape) && !shape.empty() && shape[0] >= 0 ? shape[0] : kUnknownDim;
  return {{kUnknownDim, dims.rank}, {kUnknownDim}, {rows}, {dims.count}};
}

void fill_grad(GradCtx& g) {
  Node& parts = g.scope().add("SparseFillEmptyRowsGrad", {g.output(3), g.dy(1)});
  g.set(1, parts.output(0));
  g.set(3, parts.output(1));
}

Shapes fill_grad_shape(const ShapeCtx& c) {
  c.vector(1);
  return {c.vector(0), PartialShape::scalar()};
}

}  // namespace

extern constexpr OpDecl kSparseFillEmptyRows{
    .name = "SparseFillEmptyRows",
    .doc =
        "The sparse tensor with `default_value` at the beginning of each row that had no element, "
        "which rows those were, and where each element went.",
    .inputs = {"indices: int64", "values: T", "dense_shape: int64", "default_value: T"},
    .outputs = {"output_indices: int64", "output_values: T", "empty_row_indicator: bool",
                "reverse_index_map: int64"},
    .attrs = {"T: type"},
    .traits = kPure | kDataDependentShape,
    .shape = fill_shape,
    .grad = fill_grad,
};
static_assert(well_formed(kSparseFillEmptyRows));

extern constexpr OpDecl kSparseFillEmptyRowsGrad{
    .name = "SparseFillEmptyRowsGrad",
    .doc = "The gradients of the values and of the default value of SparseFillEmptyRows.",
    .inputs = {"reverse_index_map: int64", "grad_values: T"},
    .outputs = {"d_values: T", "d_default_value: T"},
    .attrs = {"T: type"},
    .traits = kPure,
    .shape = fill_grad_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kSparseFillEmptyRowsGrad));

}  // namespace rill
