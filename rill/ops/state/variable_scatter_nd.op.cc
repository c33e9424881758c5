#include "rill/graph/op_decl.h"
#include "rill/ops/array/slice/scatter_nd_shape.h"

namespace rill {
namespace {

Shapes scatter_nd_shape(const ShapeCtx& c) {
  check_scatter_nd(c.with_rank_at_least(1, 1), c.input(2), c.input(0));
  return {c.input(0)};
}

Shapes resource_scatter_nd_shape(const ShapeCtx& c) {
  const PartialShape indices = c.with_rank_at_least(1, 1);
  if (const HandleInfo* handle = c.handle(0)) check_scatter_nd(indices, c.input(2), handle->shape);
  return {};
}

}  // namespace

extern constexpr OpDecl kScatterNdAdd{
    .name = "ScatterNdAdd",
    .doc = "Adds updates to the places of a variable that the rows of indices name.",
    .inputs = {"ref: Ref(T)", "indices: Tindices", "updates: T"},
    .outputs = {"output_ref: Ref(T)"},
    .attrs = {"T: numbertype", "Tindices: {int32, int64}", "use_locking: bool = false"},
    .shape = scatter_nd_shape,
    .grad = not_differentiable,
};
static_assert(well_formed(kScatterNdAdd));

extern constexpr OpDecl kScatterNdSub{
    .name = "ScatterNdSub",
    .doc = "Subtracts updates from the places of a variable that the rows of indices name.",
    .inputs = {"ref: Ref(T)", "indices: Tindices", "updates: T"},
    .outputs = {"output_ref: Ref(T)"},
    .attrs = {"T: numbertype", "Tindices: {int32, int64}", "use_locking: bool = false"},
    .shape = scatter_nd_shape,
    .grad = not_differentiable,
};
static_assert(well_formed(kScatterNdSub));

extern constexpr OpDecl kScatterNdUpdate{
    .name = "ScatterNdUpdate",
    .doc = "Puts updates into the places of a variable that the rows of indices name.",
    .inputs = {"ref: Ref(T)", "indices: Tindices", "updates: T"},
    .outputs = {"output_ref: Ref(T)"},
    .attrs = {"T: type", "Tindices: {int32, int64}", "use_locking: bool = true"},
    .shape = scatter_nd_shape,
    .grad = not_differentiable,
};
static_assert(well_formed(kScatterNdUpdate));

extern constexpr OpDecl kResourceScatterNdAdd{
    .name = "ResourceScatterNdAdd",
    .doc = "Adds updates to the places of a variable that the rows of indices name.",
    .inputs = {"ref: resource", "indices: Tindices", "updates: T"},
    .attrs = {"T: type", "Tindices: {int32, int64}", "use_locking: bool = true"},
    .traits = kStateful,
    .shape = resource_scatter_nd_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kResourceScatterNdAdd));

extern constexpr OpDecl kResourceScatterNdSub{
    .name = "ResourceScatterNdSub",
    .doc = "Subtracts updates from the places of a variable that the rows of indices name.",
    .inputs = {"ref: resource", "indices: Tindices", "updates: T"},
    .attrs = {"T: type", "Tindices: {int32, int64}", "use_locking: bool = true"},
    .traits = kStateful,
    .shape = resource_scatter_nd_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kResourceScatterNdSub));

extern constexpr OpDecl kResourceScatterNdUpdate{
    .name = "ResourceScatterNdUpdate",
    .doc = "Puts updates into the places of a variable that the rows of indices name.",
    .inputs = {"ref: resource", "indices: Tindices", "updates: T"},
    .attrs = {"T: type", "Tindices: {int32, int64}", "use_locking: bool = true"},
    .traits = kStateful,
    .shape = resource_scatter_nd_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kResourceScatterNdUpdate));

}  // namespace rill
