#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"
#include "rill/ops/math/reduce/range_shape.h"

namespace rill {
namespace {

void require_scalar(const ShapeCtx& c, int i, const char* name) {
  require(
      c.input(i).is_compatible(PartialShape::scalar()),
      when_run(name, " must be a scalar, not shape ", c.input(i)),
      when_built("Shape must be rank 0 but is rank ", c.input(i).rank(), "\n\t for '", name, "'"));
}

Shapes range_shape(const ShapeCtx& c) {
  const char* const names[] = {"start", "limit", "delta"};
  for (int i = 0; i < 3; ++i) require_scalar(c, i, names[i]);
  const Tensor* start = c.value(0);
  const Tensor* limit = c.value(1);
  const Tensor* delta = c.value(2);
  if (start == nullptr || limit == nullptr || delta == nullptr) return {{kUnknownDim}};
  return {{range_size(*start, *limit, *delta)}};
}

Shapes linspace_shape(const ShapeCtx& c) {
  const char* const names[] = {"start", "stop", "num"};
  for (int i = 0; i < 3; ++i) require_scalar(c, i, names[i]);
  std::int64_t num = 0;
  if (!c.int_value(2, &num)) return {{kUnknownDim}};
  require(num > 0, "Requires num > 0: ", num);
  return {{num}};
}

}  // namespace

extern constexpr OpDecl kRange{
    .name = "Range",
    .doc = "start, start + delta, ... up to but without limit.",
    .inputs = {"start: Tidx", "limit: Tidx", "delta: Tidx"},
    .outputs = {"output: Tidx"},
    .attrs = {"Tidx: {bfloat16, float, double, int32, int64} = DT_INT32"},
    .traits = kPure,
    .shape = range_shape,
    .grad = not_differentiable,
};
static_assert(well_formed(kRange));

extern constexpr OpDecl kLinSpace{
    .name = "LinSpace",
    .doc = "num values evenly spaced from start to stop, both included.",
    .inputs = {"start: T", "stop: T", "num: Tidx"},
    .outputs = {"output: T"},
    .attrs = {"T: {bfloat16, float, double}", "Tidx: {int32, int64} = DT_INT32"},
    .traits = kPure,
    .shape = linspace_shape,
    .grad = not_differentiable,
};
static_assert(well_formed(kLinSpace));

}  // namespace rill
