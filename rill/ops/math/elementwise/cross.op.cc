#include "rill/graph/gradient_parts.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

Shapes cross_shape(const ShapeCtx& c) {
  const PartialShape both = merge_shapes(c.with_rank_at_least(0, 1), c.with_rank_at_least(1, 1));
  if (!both.has_rank()) return {both};
  const int last = both.rank() - 1;
  require(compatible(both.dim(last), 3), "Dimension must be 3 but is ", both.dim(last));
  return {both.with_dim(last, 3)};
}

void cross_grad(GradCtx& g) {
  const Output u = g.input(0), v = g.input(1);
  g.set(0, g.add("Cross", {v, g.dy()}));
  g.set(1, g.add("Cross", {g.dy(), u}));
}

}  // namespace

extern constexpr OpDecl kCross{
    .name = "Cross",
    .doc = "The cross products of the vectors of three along the last dimension.",
    .inputs = {"a: T", "b: T"},
    .outputs = {"product: T"},
    .attrs = {"T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, "
              "uint32, uint64}"},
    .traits = kPure,
    .shape = cross_shape,
    .grad = cross_grad,
};
static_assert(well_formed(kCross));

}  // namespace rill
