#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

Shapes apply_shape(const ShapeCtx& c) {
  (void)c.scalar(1);
  return {c.input(0).merged(c.input(2))};
}

Shapes resource_apply_shape(const ShapeCtx& c) {
  (void)c.scalar(1);
  if (const HandleInfo* handle = c.handle(0)) (void)handle->shape.merged(c.input(2));
  return {};
}

}  // namespace

extern constexpr OpDecl kApplyGradientDescent{
    .name = "ApplyGradientDescent",
    .doc = "var -= alpha * delta.",
    .inputs = {"var: Ref(T)", "alpha: T", "delta: T"},
    .outputs = {"out: Ref(T)"},
    .attrs = {"T: numbertype", "use_locking: bool = false"},
    .shape = apply_shape,
};
static_assert(well_formed(kApplyGradientDescent));

extern constexpr OpDecl kResourceApplyGradientDescent{
    .name = "ResourceApplyGradientDescent",
    .doc = "var -= alpha * delta.",
    .inputs = {"var: resource", "alpha: T", "delta: T"},
    .attrs = {"T: numbertype", "use_locking: bool = false"},
    .traits = kStateful,
    .shape = resource_apply_shape,
};
static_assert(well_formed(kResourceApplyGradientDescent));

}  // namespace rill
