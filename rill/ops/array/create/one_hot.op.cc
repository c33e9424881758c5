#include "rill/graph/kernel_work.h"
#include "rill/graph/op_decl.h"
#include "rill/ops/array/values/shape_values.h"

namespace rill {
namespace {

void require_scalar(const ShapeCtx& c, int i, const char* name) {
  require(!c.input(i).has_rank() || c.input(i).rank() == 0,
          when_run(name, " must be a scalar, but got: ", c.input(i)),
          when_built(
              i == 1 ? "Input must be scalar but has rank " : "Shape must be rank 0 but is rank ",
              c.input(i).rank()));
}

Shapes one_hot_shape(const ShapeCtx& c) {
  require_scalar(c, 1, "depth");
  require_scalar(c, 2, "on_value");
  require_scalar(c, 3, "off_value");
  std::int64_t depth = kUnknownDim;
  if (c.int_value(1, &depth))
    require(
        depth >= 0, when_run("depth must be non-negative, got: ", depth),
        when_built("Dimension size, given by scalar input 1, must be non-negative but is ", depth));
  const PartialShape& indices = c.input(0);
  if (!indices.has_rank()) return {PartialShape()};
  const auto axis = c.attr<std::int64_t>("axis");
  require(axis >= -1 && axis <= indices.rank(), "Expected axis to be -1 or between [0, ",
          indices.rank() + 1, ").  But received: ", axis);
  const int at = axis < 0 ? indices.rank() : static_cast<int>(axis);
  return {replace_dims(indices, at, 0, depth)};
}

}  // namespace

extern constexpr OpDecl kOneHot{
    .name = "OneHot",
    .doc = "A new dimension of `depth`: on_value at the place that an index names, else off_value.",
    .inputs = {"indices: TI", "depth: int32", "on_value: T", "off_value: T"},
    .outputs = {"output: T"},
    .attrs = {"axis: int = -1", "T: type", "TI: {uint8, int32, int64} = DT_INT64"},
    .traits = kPure,
    .shape = one_hot_shape,
    .cost = no_flops,
    .grad = not_differentiable,
};
static_assert(well_formed(kOneHot));

}  // namespace rill
