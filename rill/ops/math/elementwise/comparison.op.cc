#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"
#include "rill/ops/math/elementwise/broadcastable.h"

namespace rill {
namespace {

// Shapes that do not broadcast give a scalar when the op is told not to mind.
Shapes equality_shape(const ShapeCtx& c) {
  if (c.flag("incompatible_shape_error")) return broadcast_inputs(c);
  if (!c.input(0).is_full() || !c.input(1).is_full()) return {PartialShape()};
  return {broadcastable(c.input(0).full(), c.input(1).full()) ? broadcast_inputs(c)[0]
                                                              : PartialShape::scalar()};
}

}  // namespace

extern constexpr OpDecl kLess{
    .name = "Less",
    .doc = "Whether x < y, with broadcasting.",
    .inputs = {"x: T", "y: T"},
    .outputs = {"z: bool"},
    .attrs = {"T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, "
              "uint32, uint64}"},
    .traits = kPure | kElementwise,
    .shape = broadcast_inputs,
    .grad = not_differentiable,
};
static_assert(well_formed(kLess));

extern constexpr OpDecl kLessEqual{
    .name = "LessEqual",
    .doc = "Whether x <= y, with broadcasting.",
    .inputs = {"x: T", "y: T"},
    .outputs = {"z: bool"},
    .attrs = {"T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, "
              "uint32, uint64}"},
    .traits = kPure | kElementwise,
    .shape = broadcast_inputs,
    .grad = not_differentiable,
};
static_assert(well_formed(kLessEqual));

extern constexpr OpDecl kGreater{
    .name = "Greater",
    .doc = "Whether x > y, with broadcasting.",
    .inputs = {"x: T", "y: T"},
    .outputs = {"z: bool"},
    .attrs = {"T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, "
              "uint32, uint64}"},
    .traits = kPure | kElementwise,
    .shape = broadcast_inputs,
    .grad = not_differentiable,
};
static_assert(well_formed(kGreater));

extern constexpr OpDecl kGreaterEqual{
    .name = "GreaterEqual",
    .doc = "Whether x >= y, with broadcasting.",
    .inputs = {"x: T", "y: T"},
    .outputs = {"z: bool"},
    .attrs = {"T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, "
              "uint32, uint64}"},
    .traits = kPure | kElementwise,
    .shape = broadcast_inputs,
    .grad = not_differentiable,
};
static_assert(well_formed(kGreaterEqual));

extern constexpr OpDecl kEqual{
    .name = "Equal",
    .doc =
        "Whether x equals y, with broadcasting. Without incompatible_shape_error, shapes that do "
        "not broadcast give a scalar false.",
    .inputs = {"x: T", "y: T"},
    .outputs = {"z: bool"},
    .attrs = {"T: {bfloat16, half, float, double, uint8, int8, int16, int32, int64, complex64, "
              "quint8, qint8, qint32, string, bool, complex128}",
              "incompatible_shape_error: bool = true"},
    .traits = kPure | kElementwise | kCommutative,
    .shape = equality_shape,
    .grad = not_differentiable,
};
static_assert(well_formed(kEqual));

extern constexpr OpDecl kNotEqual{
    .name = "NotEqual",
    .doc =
        "Whether x differs from y, with broadcasting. Without incompatible_shape_error, shapes "
        "that do not broadcast give a scalar true.",
    .inputs = {"x: T", "y: T"},
    .outputs = {"z: bool"},
    .attrs = {"T: {bfloat16, half, float, double, uint8, int8, int16, int32, int64, complex64, "
              "quint8, qint8, qint32, string, bool, complex128}",
              "incompatible_shape_error: bool = true"},
    .traits = kPure | kElementwise | kCommutative,
    .shape = equality_shape,
    .grad = not_differentiable,
};
static_assert(well_formed(kNotEqual));

extern constexpr OpDecl kApproximateEqual{
    .name = "ApproximateEqual",
    .doc = "Whether |x - y| < tolerance; x and y have one shape.",
    .inputs = {"x: T", "y: T"},
    .outputs = {"z: bool"},
    .attrs = {"T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, "
              "qint32, bfloat16, uint16, complex128, half, uint32, uint64}",
              "tolerance: float = 1e-05"},
    .traits = kPure | kElementwise | kCommutative,
    .shape = merge_inputs,
    .grad = not_differentiable,
};
static_assert(well_formed(kApproximateEqual));

}  // namespace rill
