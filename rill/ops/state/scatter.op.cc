#include "rill/graph/op_decl.h"
#include "rill/ops/state/scatter_shape.h"

namespace rill {
namespace {

Shapes scatter_shape(const ShapeCtx& c) {
  check_scatter_shapes(c.input(0), c.input(1), c.input(2));
  return {c.input(0)};
}

}  // namespace

extern constexpr OpDecl kScatterUpdate{
    .name = "ScatterUpdate",
    .doc = "Overwrites the slices of a variable that `indices` name.",
    .inputs = {"ref: Ref(T)", "indices: Tindices", "updates: T"},
    .outputs = {"output_ref: Ref(T)"},
    .attrs = {"T: type", "Tindices: {int32, int64}", "use_locking: bool = true"},
    .shape = scatter_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kScatterUpdate));

extern constexpr OpDecl kScatterAdd{
    .name = "ScatterAdd",
    .doc = "Adds to the slices of a variable that `indices` name.",
    .inputs = {"ref: Ref(T)", "indices: Tindices", "updates: T"},
    .outputs = {"output_ref: Ref(T)"},
    .attrs = {"T: numbertype", "Tindices: {int32, int64}", "use_locking: bool = false"},
    .shape = scatter_shape,
    .grad = not_differentiable,
};
static_assert(well_formed(kScatterAdd));

extern constexpr OpDecl kScatterSub{
    .name = "ScatterSub",
    .doc = "Subtracts from the slices of a variable that `indices` name.",
    .inputs = {"ref: Ref(T)", "indices: Tindices", "updates: T"},
    .outputs = {"output_ref: Ref(T)"},
    .attrs = {"T: numbertype", "Tindices: {int32, int64}", "use_locking: bool = false"},
    .shape = scatter_shape,
    .grad = not_differentiable,
};
static_assert(well_formed(kScatterSub));

extern constexpr OpDecl kScatterMul{
    .name = "ScatterMul",
    .doc = "Multiplies the slices of a variable that `indices` name.",
    .inputs = {"ref: Ref(T)", "indices: Tindices", "updates: T"},
    .outputs = {"output_ref: Ref(T)"},
    .attrs = {"T: numbertype", "Tindices: {int32, int64}", "use_locking: bool = false"},
    .shape = scatter_shape,
    .grad = not_differentiable,
};
static_assert(well_formed(kScatterMul));

extern constexpr OpDecl kScatterDiv{
    .name = "ScatterDiv",
    .doc = "Divides the slices of a variable that `indices` name.",
    .inputs = {"ref: Ref(T)", "indices: Tindices", "updates: T"},
    .outputs = {"output_ref: Ref(T)"},
    .attrs = {"T: numbertype", "Tindices: {int32, int64}", "use_locking: bool = false"},
    .shape = scatter_shape,
    .grad = not_differentiable,
};
static_assert(well_formed(kScatterDiv));

extern constexpr OpDecl kScatterMin{
    .name = "ScatterMin",
    .doc = "Takes the minimum with the slices of a variable that `indices` name.",
    .inputs = {"ref: Ref(T)", "indices: Tindices", "updates: T"},
    .outputs = {"output_ref: Ref(T)"},
    .attrs = {"T: {half, bfloat16, float, double, int32, int64}", "Tindices: {int32, int64}",
              "use_locking: bool = false"},
    .shape = scatter_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kScatterMin));

extern constexpr OpDecl kScatterMax{
    .name = "ScatterMax",
    .doc = "Takes the maximum with the slices of a variable that `indices` name.",
    .inputs = {"ref: Ref(T)", "indices: Tindices", "updates: T"},
    .outputs = {"output_ref: Ref(T)"},
    .attrs = {"T: {half, bfloat16, float, double, int32, int64}", "Tindices: {int32, int64}",
              "use_locking: bool = false"},
    .shape = scatter_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kScatterMax));

}  // namespace rill
