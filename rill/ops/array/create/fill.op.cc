#include "rill/graph/gradient_parts.h"
#include "rill/graph/kernel_work.h"
#include "rill/graph/op_decl.h"
#include "rill/ops/array/values/shape_values.h"

namespace rill {
namespace {

Shapes fill_shape(const ShapeCtx& c) {
  (void)c.scalar(1);
  return {known_dims(c, 0)};
}

// Also tells what is known of the elements of a list.
Shapes zeros_shape(const ShapeCtx& c) {
  if (const HandleInfo* handle = c.handle(0)) c.set_output_handle(0, *handle);
  return {c.input(0)};
}

void fill_grad(GradCtx& g) {
  const PartialShape& shape = g.dy().shape();
  if (shape.has_rank()) {
    std::vector<std::int64_t> axes(static_cast<std::size_t>(shape.rank()));
    for (std::size_t i = 0; i < axes.size(); ++i) axes[i] = static_cast<std::int64_t>(i);
    const Output all = g.scope().constant(int_vector(axes));
    return g.set(1, g.add("Sum", {g.dy(), all}));
  }
  const Output rank = g.add("Rank", {g.dy()});
  g.set(1, g.add("Sum", {g.dy(), range(g, 0, rank, 1)}));
}

}  // namespace

extern constexpr OpDecl kFill{
    .name = "Fill",
    .doc = "A tensor of shape `dims` whose elements are all `value`.",
    .inputs = {"dims: index_type", "value: T"},
    .outputs = {"output: T"},
    .attrs = {"T: type", "index_type: {int32, int64} = DT_INT32"},
    .traits = kPure,
    .shape = fill_shape,
    .cost = no_flops,
    .grad = fill_grad,
};
static_assert(well_formed(kFill));

extern constexpr OpDecl kZerosLike{
    .name = "ZerosLike",
    .doc = "Zeros (empty strings) in the shape of `x`.",
    .inputs = {"x: T"},
    .outputs = {"y: T"},
    .attrs = {"T: type"},
    .traits = kPure,
    .shape = zeros_shape,
    .grad = not_differentiable,
};
static_assert(well_formed(kZerosLike));

extern constexpr OpDecl kOnesLike{
    .name = "OnesLike",
    .doc = "Ones in the shape of `x`.",
    .inputs = {"x: T"},
    .outputs = {"y: T"},
    .attrs = {"T: {bfloat16, half, float, double, int8, uint8, int16, uint16, int32, int64, "
              "complex64, complex128, bool}"},
    .traits = kPure,
    .shape = same_as_input,
    .grad = not_differentiable,
};
static_assert(well_formed(kOnesLike));

}  // namespace rill
