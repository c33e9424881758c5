#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {

extern constexpr OpDecl kPow{
    .name = "Pow",
    .doc = "x to the power of y with broadcasting; a negative power of an integer is an error.",
    .inputs = {"x: T", "y: T"},
    .outputs = {"z: T"},
    .attrs = {"T: {bfloat16, float, half, double, int32, int64, complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = broadcast_inputs,
};
static_assert(well_formed(kPow));

extern constexpr OpDecl kSquaredDifference{
    .name = "SquaredDifference",
    .doc = "The square of x - y with broadcasting; of complex numbers, times the conjugate.",
    .inputs = {"x: T", "y: T"},
    .outputs = {"z: T"},
    .attrs = {"T: {bfloat16, half, float, double, int32, int64, complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace | kCommutative,
    .shape = broadcast_inputs,
};
static_assert(well_formed(kSquaredDifference));

extern constexpr OpDecl kDivNoNan{
    .name = "DivNoNan",
    .doc = "x / y with broadcasting, and 0 where y is 0.",
    .inputs = {"x: T", "y: T"},
    .outputs = {"z: T"},
    .attrs = {"T: {half, float, double, complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = broadcast_inputs,
};
static_assert(well_formed(kDivNoNan));

extern constexpr OpDecl kMulNoNan{
    .name = "MulNoNan",
    .doc = "x * y with broadcasting, and 0 where y is 0 even if x is infinite or NaN.",
    .inputs = {"x: T", "y: T"},
    .outputs = {"z: T"},
    .attrs = {"T: {half, float, double, complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = broadcast_inputs,
};
static_assert(well_formed(kMulNoNan));

extern constexpr OpDecl kXdivy{
    .name = "Xdivy",
    .doc = "x / y with broadcasting, and 0 where x is 0.",
    .inputs = {"x: T", "y: T"},
    .outputs = {"z: T"},
    .attrs = {"T: {half, float, double, complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = broadcast_inputs,
};
static_assert(well_formed(kXdivy));

extern constexpr OpDecl kXlogy{
    .name = "Xlogy",
    .doc = "x * log(y) with broadcasting, and 0 where x is 0.",
    .inputs = {"x: T", "y: T"},
    .outputs = {"z: T"},
    .attrs = {"T: {half, float, double, complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = broadcast_inputs,
};
static_assert(well_formed(kXlogy));

extern constexpr OpDecl kAtan2{
    .name = "Atan2",
    .doc = "The angle of the point (x, y) from the positive x axis, in (-pi, pi].",
    .inputs = {"y: T", "x: T"},
    .outputs = {"z: T"},
    .attrs = {"T: {bfloat16, half, float, double}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = broadcast_inputs,
};
static_assert(well_formed(kAtan2));

}  // namespace rill
