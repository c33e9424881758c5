#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {

extern constexpr OpDecl kSin{
    .name = "Sin",
    .doc = "The sine of x in radians.",
    .inputs = {"x: T"},
    .outputs = {"y: T"},
    .attrs = {"T: {bfloat16, half, float, double, complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
};
static_assert(well_formed(kSin));

extern constexpr OpDecl kCos{
    .name = "Cos",
    .doc = "The cosine of x in radians.",
    .inputs = {"x: T"},
    .outputs = {"y: T"},
    .attrs = {"T: {bfloat16, half, float, double, complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
};
static_assert(well_formed(kCos));

extern constexpr OpDecl kTan{
    .name = "Tan",
    .doc = "The tangent of x in radians.",
    .inputs = {"x: T"},
    .outputs = {"y: T"},
    .attrs = {"T: {bfloat16, half, float, double, int32, int64, complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
};
static_assert(well_formed(kTan));

extern constexpr OpDecl kAsin{
    .name = "Asin",
    .doc = "The angle whose sine is x.",
    .inputs = {"x: T"},
    .outputs = {"y: T"},
    .attrs = {"T: {bfloat16, half, float, double, int32, int64, complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
};
static_assert(well_formed(kAsin));

extern constexpr OpDecl kAcos{
    .name = "Acos",
    .doc = "The angle whose cosine is x.",
    .inputs = {"x: T"},
    .outputs = {"y: T"},
    .attrs = {"T: {bfloat16, half, float, double, int32, int64, complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
};
static_assert(well_formed(kAcos));

extern constexpr OpDecl kAtan{
    .name = "Atan",
    .doc = "The angle whose tangent is x.",
    .inputs = {"x: T"},
    .outputs = {"y: T"},
    .attrs = {"T: {bfloat16, half, float, double, int32, int64, complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
};
static_assert(well_formed(kAtan));

extern constexpr OpDecl kSinh{
    .name = "Sinh",
    .doc = "The hyperbolic sine of x.",
    .inputs = {"x: T"},
    .outputs = {"y: T"},
    .attrs = {"T: {bfloat16, half, float, double, complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
};
static_assert(well_formed(kSinh));

extern constexpr OpDecl kCosh{
    .name = "Cosh",
    .doc = "The hyperbolic cosine of x.",
    .inputs = {"x: T"},
    .outputs = {"y: T"},
    .attrs = {"T: {bfloat16, half, float, double, complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
};
static_assert(well_formed(kCosh));

extern constexpr OpDecl kAsinh{
    .name = "Asinh",
    .doc = "The inverse hyperbolic sine of x.",
    .inputs = {"x: T"},
    .outputs = {"y: T"},
    .attrs = {"T: {bfloat16, half, float, double, complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
};
static_assert(well_formed(kAsinh));

extern constexpr OpDecl kAcosh{
    .name = "Acosh",
    .doc = "The inverse hyperbolic cosine of x.",
    .inputs = {"x: T"},
    .outputs = {"y: T"},
    .attrs = {"T: {bfloat16, half, float, double, complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
};
static_assert(well_formed(kAcosh));

extern constexpr OpDecl kAtanh{
    .name = "Atanh",
    .doc = "The inverse hyperbolic tangent of x.",
    .inputs = {"x: T"},
    .outputs = {"y: T"},
    .attrs = {"T: {bfloat16, half, float, double, complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
};
static_assert(well_formed(kAtanh));

}  // namespace rill
