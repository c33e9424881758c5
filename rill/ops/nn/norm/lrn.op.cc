#include "rill/graph/gradient_parts.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

Shapes lrn_shape(const ShapeCtx& c) { return {c.with_rank(0, 4)}; }

Shapes lrn_grad_shape(const ShapeCtx& c) {
  PartialShape shape = c.with_rank(0, 4);
  for (int i = 1; i < 3; ++i) {
    const PartialShape other = c.with_rank(i, 4);
    require(shape.is_compatible(other),
            "input_grads, input_image, and out_image should have the same shape, not ", shape,
            " and ", other);
    shape = merge_shapes(shape, other);
  }
  return {shape};
}

void lrn_gradient(GradCtx& g) {
  AttrMap attrs;
  for (const char* name : {"depth_radius", "bias", "alpha", "beta"})
    attrs.emplace(name, g.node().attrs().at(name));
  g.set(0, g.add("LRNGrad", {g.dy(), g.input(0), g.output()}, std::move(attrs)));
}

}  // namespace

extern constexpr OpDecl kLRN{
    .name = "LRN",
    .doc =
        "Each channel of a pixel divided by (bias + alpha * the sum of the squares of the channels "
        "within depth_radius) ** beta.",
    .inputs = {"input: T"},
    .outputs = {"output: T"},
    .attrs = {"depth_radius: int = 5", "bias: float = 1", "alpha: float = 1", "beta: float = 0.5",
              "T: {half, bfloat16, float} = DT_FLOAT"},
    .traits = kPure,
    .shape = lrn_shape,
    .grad = lrn_gradient,
};
static_assert(well_formed(kLRN));

extern constexpr OpDecl kLRNGrad{
    .name = "LRNGrad",
    .doc = "The gradient of LRN.",
    .inputs = {"input_grads: T", "input_image: T", "output_image: T"},
    .outputs = {"output: T"},
    .attrs = {"depth_radius: int = 5", "bias: float = 1", "alpha: float = 1", "beta: float = 0.5",
              "T: {half, bfloat16, float} = DT_FLOAT"},
    .traits = kPure,
    .shape = lrn_grad_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kLRNGrad));

}  // namespace rill
