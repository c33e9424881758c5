#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

Shapes bitpack_shape(const ShapeCtx& c) {
  const PartialShape input = c.with_rank_at_least(0, 1);
  (void)c.scalar(1);
  if (!input.has_rank()) return {input};
  const int last = input.rank() - 1;
  if (input.dim(last) < 0) return {input};
  require(input.dim(last) % 8 == 0, "Dimension size must be evenly divisible by 8 but is ",
          input.dim(last));
  return {input.with_dim(last, input.dim(last) / 8)};
}

}  // namespace

extern constexpr OpDecl kCompareAndBitpack{
    .name = "CompareAndBitpack",
    .doc =
        "A bit for each element, set where it is greater than the threshold; eight neighbours make "
        "a byte, the first its highest bit.",
    .inputs = {"input: T", "threshold: T"},
    .outputs = {"output: uint8"},
    .attrs = {"T: {bool, half, float, double, int8, int16, int32, int64}"},
    .traits = kPure,
    .shape = bitpack_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kCompareAndBitpack));

}  // namespace rill
