#include "rill/graph/gradient_parts.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

void add_grad(GradCtx& g) {
  const Output dy = g.dy();
  if (same_full_shapes(g.input(0), g.input(1), dy)) {
    g.set(0, dy);
    g.set(1, dy);
    return;
  }
  Broadcast both(g, g.input(0), g.input(1));
  g.set(0, both.to_x(dy));
  g.set(1, both.to_y(dy));
}

void sub_grad(GradCtx& g) {
  const Output dy = g.dy();
  if (same_full_shapes(g.input(0), g.input(1), dy)) {
    g.set(0, dy);
    g.set(1, neg(g, dy));
    return;
  }
  Broadcast both(g, g.input(0), g.input(1));
  g.set(0, both.to_x(dy));
  g.set(1, both.to_y(neg(g, dy)));
}

void mul_grad(GradCtx& g) {
  Output x = g.input(0), y = g.input(1);
  const Output dy = g.dy();
  if (same_full_shapes(x, y, dy) && (dy.dtype() == DType::f32 || dy.dtype() == DType::i32)) {
    g.set(0, g.add("Mul", {dy, y}));
    g.set(1, g.add("Mul", {dy, x}));
    return;
  }
  Broadcast both(g, x, y);
  x = conj(g, x);
  y = conj(g, y);
  g.set(0, both.to_x(g.add("Mul", {dy, y})));
  g.set(1, both.to_y(g.add("Mul", {x, dy})));
}

}  // namespace

extern constexpr OpDecl kAdd{
    .name = "Add",
    .doc = "x + y, element by element with broadcasting; strings are joined.",
    .inputs = {"x: T", "y: T"},
    .outputs = {"z: T"},
    .attrs = {"T: {bfloat16, half, float, double, uint8, int8, int16, int32, int64, complex64, "
              "complex128, string}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = broadcast_inputs,
    .grad = add_grad,
};
static_assert(well_formed(kAdd));

extern constexpr OpDecl kAddV2{
    .name = "AddV2",
    .doc = "x + y, element by element with broadcasting; numbers only.",
    .inputs = {"x: T", "y: T"},
    .outputs = {"z: T"},
    .attrs = {"T: {bfloat16, half, float, double, uint8, int8, int16, int32, int64, complex64, "
              "complex128}"},
    .traits = kPure | kElementwise | kInPlace | kCommutative | kAggregate,
    .shape = broadcast_inputs,
    .grad = add_grad,
};
static_assert(well_formed(kAddV2));

extern constexpr OpDecl kSub{
    .name = "Sub",
    .doc = "x - y, element by element with broadcasting.",
    .inputs = {"x: T", "y: T"},
    .outputs = {"z: T"},
    .attrs = {"T: {bfloat16, half, float, double, uint8, int8, uint16, int16, int32, int64, "
              "complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = broadcast_inputs,
    .grad = sub_grad,
};
static_assert(well_formed(kSub));

extern constexpr OpDecl kMul{
    .name = "Mul",
    .doc = "x * y, element by element with broadcasting.",
    .inputs = {"x: T", "y: T"},
    .outputs = {"z: T"},
    .attrs = {"T: {bfloat16, half, float, double, uint8, int8, uint16, int16, int32, int64, "
              "complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace | kCommutative,
    .shape = broadcast_inputs,
    .grad = mul_grad,
};
static_assert(well_formed(kMul));

}  // namespace rill
