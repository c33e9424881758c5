#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

Shapes clip_shape(const ShapeCtx& c) {
  for (int i = 1; i < 3; ++i) {
    const bool scalar = c.input(i).has_rank() && c.input(i).rank() == 0;
    require(scalar || c.input(i).is_compatible(c.input(0)) ||
                c.input(i).is_compatible(PartialShape::scalar()),
            "clip_value_min and clip_value_max must be either of the same shape as input, or a "
            "scalar. input shape: ",
            c.input(0), " clip_value_min shape: ", c.input(1),
            " clip_value_max shape: ", c.input(2));
  }
  return {c.input(0)};
}

}  // namespace

extern constexpr OpDecl kClipByValue{
    .name = "ClipByValue",
    .doc =
        "t, but not below clip_value_min nor above clip_value_max, which have its shape or are "
        "scalars.",
    .inputs = {"t: T", "clip_value_min: T", "clip_value_max: T"},
    .outputs = {"output: T"},
    .attrs = {"T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, "
              "qint32, bfloat16, uint16, complex128, half, uint32, uint64}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = clip_shape,
};
static_assert(well_formed(kClipByValue));

}  // namespace rill
