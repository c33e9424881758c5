#include "rill/graph/op_decl.h"
#include "rill/ops/sparse/sparse_shape.h"

namespace rill {
namespace {

Shapes add_shape(const ShapeCtx& c) {
  sparse_dims(c, 0);
  return {PartialShape::scalar()};
}

Shapes add_many_shape(const ShapeCtx& c) {
  sparse_dims(c, 0);
  std::vector<std::int64_t> shape;
  const bool known = c.int_values(2, &shape) && !shape.empty() && shape[0] >= 0;
  return {{known ? shape[0] : kUnknownDim}};
}

Shapes take_shape(const ShapeCtx& c) {
  c.vector(0);
  return sparse_output(kUnknownDim);
}

}  // namespace

extern constexpr OpDecl kAddSparseToTensorsMap{
    .name = "AddSparseToTensorsMap",
    .doc = "Keeps a sparse tensor beyond the step; the handle is what takes it out again.",
    .inputs = {"sparse_indices: int64", "sparse_values: T", "sparse_shape: int64"},
    .outputs = {"sparse_handle: int64"},
    .attrs = {"T: type", "container: string = ''", "shared_name: string = ''"},
    .traits = kStateful,
    .shape = add_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kAddSparseToTensorsMap));

extern constexpr OpDecl kAddManySparseToTensorsMap{
    .name = "AddManySparseToTensorsMap",
    .doc = "Keeps each row of a sparse tensor beyond the step and gives each a handle.",
    .inputs = {"sparse_indices: int64", "sparse_values: T", "sparse_shape: int64"},
    .outputs = {"sparse_handles: int64"},
    .attrs = {"T: type", "container: string = ''", "shared_name: string = ''"},
    .traits = kStateful | kDataDependentShape,
    .shape = add_many_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kAddManySparseToTensorsMap));

extern constexpr OpDecl kTakeManySparseFromTensorsMap{
    .name = "TakeManySparseFromTensorsMap",
    .doc = "Takes out what was kept under handles, as the rows of one sparse tensor.",
    .inputs = {"sparse_handles: int64"},
    .outputs = {"sparse_indices: int64", "sparse_values: dtype", "sparse_shape: int64"},
    .attrs = {"dtype: type", "container: string = ''", "shared_name: string = ''"},
    .traits = kStateful | kDataDependentShape,
    .shape = take_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kTakeManySparseFromTensorsMap));

}  // namespace rill
