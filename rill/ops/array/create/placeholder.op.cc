#include "rill/graph/argument_shape.h"
#include "rill/graph/gradient_parts.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

Shapes attribute_shape(const ShapeCtx& c) {
  describe_handle(c);
  return {c.attr<PartialShape>("shape")};
}

// The default value must fit, but what is fed need not have its shape.
Shapes default_shape(const ShapeCtx& c) {
  const auto& shape = c.attr<PartialShape>("shape");
  return {c.input(0).is_compatible(shape) ? shape : c.input(0).merged(shape)};
}

void default_grad(GradCtx& g) { g.set(0, g.dy()); }

}  // namespace

extern constexpr OpDecl kPlaceholder{
    .name = "Placeholder",
    .doc = "A tensor that every step which needs it must feed.",
    .outputs = {"output: dtype"},
    .attrs = {"dtype: type", "shape: shape = { unknown_rank: true }"},
    .traits = kFeedOnly,
    .shape = attribute_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kPlaceholder));

extern constexpr OpDecl kPlaceholderV2{
    .name = "PlaceholderV2",
    .doc = "A tensor that every step which needs it must feed.",
    .outputs = {"output: dtype"},
    .attrs = {"dtype: type", "shape: shape"},
    .traits = kFeedOnly,
    .shape = attribute_shape,
    .grad = no_gradient,
    .deprecated = 23,
    .deprecated_why = "Placeholder now behaves the same as PlaceholderV2.",
};
static_assert(well_formed(kPlaceholderV2));

// Neither pure nor an identity: what is known of `input` says nothing about a value that is fed.
extern constexpr OpDecl kPlaceholderWithDefault{
    .name = "PlaceholderWithDefault",
    .doc = "Passes `input` on unless its own output is fed.",
    .inputs = {"input: dtype"},
    .outputs = {"output: dtype"},
    .attrs = {"dtype: type", "shape: shape"},
    .traits = kForwards,
    .shape = default_shape,
    .grad = default_grad,
};
static_assert(well_formed(kPlaceholderWithDefault));

}  // namespace rill
