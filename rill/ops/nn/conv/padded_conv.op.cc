#include "rill/graph/op_decl.h"
#include "rill/ops/nn/conv/conv_cost.h"
#include "rill/ops/nn/conv/padded_conv_shape.h"

namespace rill {
namespace {

// Inputs are images, the size if they are resized, paddings and a filter.
Shapes padded_conv_shape(const ShapeCtx& c) {
  const bool resizes = c.input_count() == 4;
  const int paddings = resizes ? 2 : 1;
  if (resizes) (void)merge_shapes(c.vector(1), {2});
  (void)merge_shapes(c.with_rank(paddings, 2), {4, 2});
  require_strides_in_space(c.attrs());
  return {PaddedConv(c.op(), c.attrs(), c.with_rank(0, 4), resizes, resizes ? c.value(1) : nullptr,
                     c.value(paddings), c.with_rank(paddings + 1, 4))
              .conv.results()};
}

}  // namespace

extern constexpr OpDecl kFusedPadConv2D{
    .name = "FusedPadConv2D",
    .doc = "Conv2D of images surrounded by their mirror images, as MirrorPad makes them.",
    .inputs = {"input: T", "paddings: int32", "filter: T"},
    .outputs = {"output: T"},
    .attrs = {"T: {half, float, double}", "mode: {'REFLECT', 'SYMMETRIC'}", "strides: list(int)",
              "padding: {'SAME', 'VALID'}"},
    .traits = kPure,
    .shape = padded_conv_shape,
    .cost = conv_flops,
    .grad = no_gradient,
};
static_assert(well_formed(kFusedPadConv2D));

extern constexpr OpDecl kFusedResizeAndPadConv2D{
    .name = "FusedResizeAndPadConv2D",
    .doc = "FusedPadConv2D of images that are first resized by bilinear interpolation.",
    .inputs = {"input: T", "size: int32", "paddings: int32", "filter: T"},
    .outputs = {"output: T"},
    .attrs = {"T: {half, float, double}", "resize_align_corners: bool = false",
              "mode: {'REFLECT', 'SYMMETRIC'}", "strides: list(int)", "padding: {'SAME', 'VALID'}"},
    .traits = kPure,
    .shape = padded_conv_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kFusedResizeAndPadConv2D));

}  // namespace rill
