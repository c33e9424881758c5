#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {

extern constexpr OpDecl kComplexAbs{
    .name = "ComplexAbs",
    .doc = "The absolute value of complex x.",
    .inputs = {"x: T"},
    .outputs = {"y: Tout"},
    .attrs = {"T: {complex64, complex128} = DT_COMPLEX64", "Tout: {float, double} = DT_FLOAT"},
    .traits = kPure | kElementwise,
    .shape = same_as_input,
};
static_assert(well_formed(kComplexAbs));

extern constexpr OpDecl kConj{
    .name = "Conj",
    .doc = "The complex conjugate of the input.",
    .inputs = {"input: T"},
    .outputs = {"output: T"},
    .attrs = {"T: {complex64, complex128, variant} = DT_COMPLEX64"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
};
static_assert(well_formed(kConj));

extern constexpr OpDecl kReal{
    .name = "Real",
    .doc = "The real part of the input.",
    .inputs = {"input: T"},
    .outputs = {"output: Tout"},
    .attrs = {"T: {complex64, complex128} = DT_COMPLEX64", "Tout: {float, double} = DT_FLOAT"},
    .traits = kPure | kElementwise,
    .shape = same_as_input,
};
static_assert(well_formed(kReal));

extern constexpr OpDecl kImag{
    .name = "Imag",
    .doc = "The imaginary part of the input.",
    .inputs = {"input: T"},
    .outputs = {"output: Tout"},
    .attrs = {"T: {complex64, complex128} = DT_COMPLEX64", "Tout: {float, double} = DT_FLOAT"},
    .traits = kPure | kElementwise,
    .shape = same_as_input,
};
static_assert(well_formed(kImag));

extern constexpr OpDecl kAngle{
    .name = "Angle",
    .doc = "The angle of complex numbers, in (-pi, pi].",
    .inputs = {"input: T"},
    .outputs = {"output: Tout"},
    .attrs = {"T: {complex64, complex128} = DT_COMPLEX64", "Tout: {float, double} = DT_FLOAT"},
    .traits = kPure | kElementwise,
    .shape = same_as_input,
};
static_assert(well_formed(kAngle));

extern constexpr OpDecl kComplex{
    .name = "Complex",
    .doc = "real + i * imag, with broadcasting.",
    .inputs = {"real: T", "imag: T"},
    .outputs = {"out: Tout"},
    .attrs = {"T: {float, double} = DT_FLOAT", "Tout: {complex64, complex128} = DT_COMPLEX64"},
    .traits = kPure | kElementwise,
    .shape = broadcast_inputs,
};
static_assert(well_formed(kComplex));

}  // namespace rill
