#include "rill/graph/gradient_parts.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

DType complex_of(DType real) { return real == DType::f64 ? DType::c128 : DType::c64; }

Output complex(GradCtx& g, Output real, Output imag) {
  return g.add("Complex", {real, imag}, {{"Tout", complex_of(real.dtype())}});
}

Output real(GradCtx& g, Output z, const char* part) {
  return g.add(part, {z}, {{"Tout", z.dtype() == DType::c128 ? DType::f64 : DType::f32}});
}

void complex_abs_grad(GradCtx& g) {
  const Output dy = complex(g, g.dy(), zeros_like(g, g.dy()));
  const Output up = mul(g, dy, g.input(0));
  g.set(0, div_no_nan(g, up, complex(g, g.output(), zeros_like(g, g.output()))));
}

void conj_grad(GradCtx& g) { g.set(0, conj(g, g.dy())); }

void real_grad(GradCtx& g) {
  const Output zero = number(g, 0, g.dy().dtype());
  g.set(0, complex(g, g.dy(), zero));
}

void imag_grad(GradCtx& g) {
  const Output zero = number(g, 0, g.dy().dtype());
  g.set(0, complex(g, zero, g.dy()));
}

void angle_grad(GradCtx& g) {
  g.after_dy();
  const Output re = real(g, g.input(0), "Real");
  const Output im = real(g, g.input(0), "Imag");
  const Output turned = reciprocal(g, complex(g, im, re));
  const Output zero = number(g, 0, g.dy().dtype());
  g.set(0, mul(g, neg(g, complex(g, g.dy(), zero)), turned));
}

void complex_grad(GradCtx& g) {
  Broadcast both(g, g.input(0), g.input(1));
  g.set(0, both.to_x(real(g, g.dy(), "Real")));
  g.set(1, both.to_y(real(g, g.dy(), "Imag")));
}

}  // namespace

extern constexpr OpDecl kComplexAbs{
    .name = "ComplexAbs",
    .doc = "The absolute value of complex x.",
    .inputs = {"x: T"},
    .outputs = {"y: Tout"},
    .attrs = {"T: {complex64, complex128} = DT_COMPLEX64", "Tout: {float, double} = DT_FLOAT"},
    .traits = kPure | kElementwise,
    .shape = same_as_input,
    .grad = complex_abs_grad,
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
    .grad = conj_grad,
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
    .grad = real_grad,
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
    .grad = imag_grad,
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
    .grad = angle_grad,
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
    .grad = complex_grad,
};
static_assert(well_formed(kComplex));

}  // namespace rill
