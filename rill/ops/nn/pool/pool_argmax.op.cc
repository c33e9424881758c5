#include "rill/graph/op_decl.h"
#include "rill/ops/nn/pool/pool_shape.h"

namespace rill {
namespace {

// Of one shape are input and grad, and what pooling makes of it and argmax.
Shapes max_pool_grad_grad_with_argmax_shape(const ShapeCtx& c) {
  const PartialShape images = merge_shapes(c.input(0), c.input(1));
  return {merge_shapes(PoolWindows(c.op(), c.attrs(), images).results(images), c.input(2))};
}

}  // namespace

extern constexpr OpDecl kMaxPoolGradGradWithArgmax{
    .name = "MaxPoolGradGradWithArgmax",
    .doc = "The second derivative of MaxPoolWithArgmax: what is at the places named.",
    .inputs = {"input: T", "grad: T", "argmax: Targmax"},
    .outputs = {"output: T"},
    .attrs = {"ksize: list(int) >= 4", "strides: list(int) >= 4", "padding: {'SAME', 'VALID'}",
              "include_batch_in_index: bool = false", "Targmax: {int32, int64}",
              "T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, "
              "uint32, uint64}"},
    .traits = kPure,
    .shape = max_pool_grad_grad_with_argmax_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kMaxPoolGradGradWithArgmax));

}  // namespace rill
