#include "rill/graph/gradient_parts.h"
#include "rill/graph/kernel_work.h"
#include "rill/graph/op_decl.h"
#include "rill/ops/array/join/pad_shape.h"

namespace rill {
namespace {

void pad_grad(GradCtx& g) {
  const Output x = g.input(0), paddings = g.input(1);
  const Output rank = rank_of(g, x);
  const Output column = column_shape(g, rank);
  const Output before =
      g.add("Slice", {paddings, int_vector(std::vector<std::int64_t>{0, 0}), column});
  const Output begin = reshape(g, before, Tensor::vector<std::int32_t>({-1}));
  const Output sizes = shape_of(g, x, base_type(begin.dtype()));
  g.set(0, g.add("Slice", {g.dy(), begin, sizes}));
}

}  // namespace

extern constexpr OpDecl kPad{
    .name = "Pad",
    .doc = "Surrounds a tensor with zeros: paddings[d] is how many before and after dimension d.",
    .inputs = {"input: T", "paddings: Tpaddings"},
    .outputs = {"output: T"},
    .attrs = {"T: type", "Tpaddings: {int32, int64} = DT_INT32"},
    .traits = kPure,
    .shape = pad_shape,
    .cost = no_flops,
    .grad = pad_grad,
};
static_assert(well_formed(kPad));

extern constexpr OpDecl kPadV2{
    .name = "PadV2",
    .doc = "Surrounds a tensor with `constant_values`.",
    .inputs = {"input: T", "paddings: Tpaddings", "constant_values: T"},
    .outputs = {"output: T"},
    .attrs = {"T: type", "Tpaddings: {int32, int64} = DT_INT32"},
    .traits = kPure,
    .shape = pad_shape,
    .cost = no_flops,
    .grad = pad_grad,
};
static_assert(well_formed(kPadV2));

}  // namespace rill
