#include "rill/graph/kernel_work.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/run_time_error.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

Shapes constant_shape(const ShapeCtx& c) {
  const Tensor& value = c.attr<Tensor>("value");
  const Shapes shapes = {value.shape()};
  // Graphs of other makers have such nodes where nothing reads them, and TensorFlow takes them.
  require_when_run(value.dtype() == c.attr<DType>("dtype"), shapes, "Type mismatch between value (",
                   value.dtype(), ") and dtype (", c.attr<DType>("dtype"), ")");
  return shapes;
}

}  // namespace

extern constexpr OpDecl kConst{
    .name = "Const",
    .doc = "A tensor that is part of the graph.",
    .outputs = {"output: dtype"},
    .attrs = {"value: tensor", "dtype: type"},
    .traits = kPure,
    .shape = constant_shape,
    .cost = no_flops,
    .grad = not_differentiable,
};
static_assert(well_formed(kConst));

extern constexpr OpDecl kHostConst{
    .name = "HostConst",
    .doc = "Const in the memory of the host.",
    .outputs = {"output: dtype"},
    .attrs = {"value: tensor", "dtype: type"},
    .traits = kPure,
    .shape = constant_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kHostConst));

}  // namespace rill
