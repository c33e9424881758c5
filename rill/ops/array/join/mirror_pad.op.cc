#include "rill/graph/gradient_parts.h"
#include "rill/graph/op_decl.h"
#include "rill/ops/array/join/pad_shape.h"
#include "rill/ops/array/values/index_values.h"

namespace rill {
namespace {

// What padding made, taken back.
Shapes mirror_pad_grad_shape(const ShapeCtx& c) {
  const PartialShape &input = c.input(0), &paddings = c.input(1);
  require(!paddings.has_rank() || (paddings.rank() == 2 && compatible(paddings.dim(1), 2)),
          "paddings must be a matrix with 2 columns: ", paddings);
  const std::int64_t pairs = paddings.has_rank() ? paddings.dim(0) : kUnknownDim;
  require(!input.has_rank() || compatible(input.rank(), pairs),
          "The first dimension of paddings must be the rank of inputs", paddings, " ", input);
  if (!input.has_rank()) return {PartialShape()};
  const Tensor* values = c.value(1);
  if (values == nullptr) return {PartialShape::of_rank(input.rank())};
  PartialShape out = input;
  for (int d = 0; d < input.rank(); ++d) {
    const std::int64_t before = int_at(*values, 2 * d), after = int_at(*values, 2 * d + 1);
    require(before >= 0 && after >= 0, "Paddings must be non-negative: ", before, " ", after);
    if (input.dim(d) < 0) continue;
    require(before <= input.dim(d) && after <= input.dim(d) - before,
            "Total paddings must be less than the input dimension size: ", before, " + ", after,
            " was not less than ", input.dim(d));
    out = out.with_dim(d, input.dim(d) - before - after);
  }
  return {out};
}

void mirror_pad_gradient(GradCtx& g) {
  g.set(0, g.add("MirrorPadGrad", {g.dy(), g.input(1)}, {{"mode", g.attr<std::string>("mode")}}));
}
void mirror_pad_grad_gradient(GradCtx& g) {
  g.set(0, g.add("MirrorPad", {g.dy(), g.input(1)}, {{"mode", g.attr<std::string>("mode")}}));
}

}  // namespace

extern constexpr OpDecl kMirrorPad{
    .name = "MirrorPad",
    .doc =
        "Surrounds a tensor with its mirror image: SYMMETRIC repeats the border element, REFLECT "
        "does not.",
    .inputs = {"input: T", "paddings: Tpaddings"},
    .outputs = {"output: T"},
    .attrs = {"T: type", "Tpaddings: {int32, int64} = DT_INT32", "mode: {'REFLECT', 'SYMMETRIC'}"},
    .traits = kPure,
    .shape = pad_shape,
    .grad = mirror_pad_gradient,
};
static_assert(well_formed(kMirrorPad));

extern constexpr OpDecl kMirrorPadGrad{
    .name = "MirrorPadGrad",
    .doc = "The gradient of MirrorPad: what lies outside is added to what it is the image of.",
    .inputs = {"input: T", "paddings: Tpaddings"},
    .outputs = {"output: T"},
    .attrs = {"T: type", "Tpaddings: {int32, int64} = DT_INT32", "mode: {'REFLECT', 'SYMMETRIC'}"},
    .traits = kPure,
    .shape = mirror_pad_grad_shape,
    .grad = mirror_pad_grad_gradient,
};
static_assert(well_formed(kMirrorPadGrad));

}  // namespace rill
