#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {

extern constexpr OpDecl kExp{
    .name = "Exp",
    .doc = "e to the power of x.",
    .inputs = {"x: T"},
    .outputs = {"y: T"},
    .attrs = {"T: {bfloat16, half, float, double, complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
};
static_assert(well_formed(kExp));

extern constexpr OpDecl kExpm1{
    .name = "Expm1",
    .doc = "exp(x) - 1 without cancellation near 0.",
    .inputs = {"x: T"},
    .outputs = {"y: T"},
    .attrs = {"T: {bfloat16, half, float, double, complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
};
static_assert(well_formed(kExpm1));

extern constexpr OpDecl kLog{
    .name = "Log",
    .doc = "The natural logarithm of x.",
    .inputs = {"x: T"},
    .outputs = {"y: T"},
    .attrs = {"T: {bfloat16, half, float, double, complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
};
static_assert(well_formed(kLog));

extern constexpr OpDecl kLog1p{
    .name = "Log1p",
    .doc = "log(1 + x) without cancellation near 0.",
    .inputs = {"x: T"},
    .outputs = {"y: T"},
    .attrs = {"T: {bfloat16, half, float, double, complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
};
static_assert(well_formed(kLog1p));

extern constexpr OpDecl kTanh{
    .name = "Tanh",
    .doc = "The hyperbolic tangent of x.",
    .inputs = {"x: T"},
    .outputs = {"y: T"},
    .attrs = {"T: {bfloat16, half, float, double, complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
};
static_assert(well_formed(kTanh));

extern constexpr OpDecl kSigmoid{
    .name = "Sigmoid",
    .doc = "1 / (1 + exp(-x)).",
    .inputs = {"x: T"},
    .outputs = {"y: T"},
    .attrs = {"T: {bfloat16, half, float, double, complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
};
static_assert(well_formed(kSigmoid));

}  // namespace rill
