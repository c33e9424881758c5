#include "rill/graph/op_decl.h"
#include "rill/ops/array/values/shape_values.h"

namespace rill {
namespace {

Shapes empty_shape(const ShapeCtx& c) {
  (void)c.vector(0);
  return {known_dims(c, 0)};
}

}  // namespace

extern constexpr OpDecl kInplaceUpdate{
    .name = "InplaceUpdate",
    .doc = "x with row i[j] replaced by row j of v; row numbers wrap around.",
    .inputs = {"x: T", "i: int32", "v: T"},
    .outputs = {"y: T"},
    .attrs = {"T: type"},
    .traits = kPure | kInPlace,
    .shape = same_as_input,
    .grad = no_gradient,
};
static_assert(well_formed(kInplaceUpdate));

extern constexpr OpDecl kInplaceAdd{
    .name = "InplaceAdd",
    .doc = "x with row j of v added to row i[j]; row numbers wrap around.",
    .inputs = {"x: T", "i: int32", "v: T"},
    .outputs = {"y: T"},
    .attrs = {"T: type"},
    .traits = kPure | kInPlace,
    .shape = same_as_input,
    .grad = no_gradient,
};
static_assert(well_formed(kInplaceAdd));

extern constexpr OpDecl kInplaceSub{
    .name = "InplaceSub",
    .doc = "x with row j of v subtracted from row i[j]; row numbers wrap around.",
    .inputs = {"x: T", "i: int32", "v: T"},
    .outputs = {"y: T"},
    .attrs = {"T: type"},
    .traits = kPure | kInPlace,
    .shape = same_as_input,
    .grad = no_gradient,
};
static_assert(well_formed(kInplaceSub));

extern constexpr OpDecl kEmpty{
    .name = "Empty",
    .doc = "A tensor of the shape given: of zeros if `init`, else of anything.",
    .inputs = {"shape: int32"},
    .outputs = {"output: dtype"},
    .attrs = {"dtype: type", "init: bool = false"},
    .traits = kStateful,
    .shape = empty_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kEmpty));

extern constexpr OpDecl kDeepCopy{
    .name = "DeepCopy",
    .doc = "A copy of x in memory of its own.",
    .inputs = {"x: T"},
    .outputs = {"y: T"},
    .attrs = {"T: type"},
    .traits = kStateful,
    .shape = same_as_input,
    .grad = no_gradient,
};
static_assert(well_formed(kDeepCopy));

}  // namespace rill
