#include "rill/graph/op_decl.h"
#include "rill/ops/state/scatter_shape.h"

namespace rill {
namespace {

Shapes scatter_shape(const ShapeCtx& c) {
  if (const HandleInfo* handle = c.handle(0))
    check_scatter_shapes(handle->shape, c.input(1), c.input(2));
  return {};
}

}  // namespace

extern constexpr OpDecl kResourceScatterUpdate{
    .name = "ResourceScatterUpdate",
    .doc = "Overwrites the slices of a variable that `indices` name.",
    .inputs = {"resource: resource", "indices: Tindices", "updates: dtype"},
    .attrs = {"dtype: type", "Tindices: {int32, int64}"},
    .traits = kStateful,
    .shape = scatter_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kResourceScatterUpdate));

extern constexpr OpDecl kResourceScatterAdd{
    .name = "ResourceScatterAdd",
    .doc = "Adds to the slices of a variable that `indices` name.",
    .inputs = {"resource: resource", "indices: Tindices", "updates: dtype"},
    .attrs = {"dtype: numbertype", "Tindices: {int32, int64}"},
    .traits = kStateful,
    .shape = scatter_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kResourceScatterAdd));

extern constexpr OpDecl kResourceScatterSub{
    .name = "ResourceScatterSub",
    .doc = "Subtracts from the slices of a variable that `indices` name.",
    .inputs = {"resource: resource", "indices: Tindices", "updates: dtype"},
    .attrs = {"dtype: numbertype", "Tindices: {int32, int64}"},
    .traits = kStateful,
    .shape = scatter_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kResourceScatterSub));

extern constexpr OpDecl kResourceScatterMul{
    .name = "ResourceScatterMul",
    .doc = "Multiplies the slices of a variable that `indices` name.",
    .inputs = {"resource: resource", "indices: Tindices", "updates: dtype"},
    .attrs = {"dtype: numbertype", "Tindices: {int32, int64}"},
    .traits = kStateful,
    .shape = scatter_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kResourceScatterMul));

extern constexpr OpDecl kResourceScatterDiv{
    .name = "ResourceScatterDiv",
    .doc = "Divides the slices of a variable that `indices` name.",
    .inputs = {"resource: resource", "indices: Tindices", "updates: dtype"},
    .attrs = {"dtype: numbertype", "Tindices: {int32, int64}"},
    .traits = kStateful,
    .shape = scatter_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kResourceScatterDiv));

extern constexpr OpDecl kResourceScatterMin{
    .name = "ResourceScatterMin",
    .doc = "Takes the minimum with the slices of a variable that `indices` name.",
    .inputs = {"resource: resource", "indices: Tindices", "updates: dtype"},
    .attrs = {"dtype: numbertype", "Tindices: {int32, int64}"},
    .traits = kStateful,
    .shape = scatter_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kResourceScatterMin));

extern constexpr OpDecl kResourceScatterMax{
    .name = "ResourceScatterMax",
    .doc = "Takes the maximum with the slices of a variable that `indices` name.",
    .inputs = {"resource: resource", "indices: Tindices", "updates: dtype"},
    .attrs = {"dtype: numbertype", "Tindices: {int32, int64}"},
    .traits = kStateful,
    .shape = scatter_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kResourceScatterMax));

}  // namespace rill
