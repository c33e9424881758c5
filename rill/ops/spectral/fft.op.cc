#include "rill/graph/gradient_parts.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

template <int kRank>
Shapes fft_shape(const ShapeCtx& c) {
  require(!c.input(0).has_rank() || c.input(0).rank() >= kRank,
          when_run("Input must have rank of at least ", kRank, " but got: ", c.input(0)),
          when_built("Shape must be at least rank ", kRank, " but is rank ", c.input(0).rank()));
  return {c.with_rank_at_least(0, kRank)};
}

// How many numbers one transform takes, in the type of x.
Output transform_size(GradCtx& g, Output x, int rank, DType type) {
  const Output size = prod_of_vector(g, slice_vector(g, shape_of(g, x), -rank, {}));
  return cast(g, size, type);
}

DType real_type(DType complex) { return complex == DType::c128 ? DType::f64 : DType::f32; }

// The transforms are symmetric, so the gradient is the inverse without its division.
template <int kRank>
void fft_grad(GradCtx& g, const char* inverse) {
  const Output dy = g.dy(0);
  g.set(0, mul(g, g.add(inverse, {dy}), transform_size(g, dy, kRank, dy.dtype())));
}

template <int kRank>
void ifft_grad(GradCtx& g, const char* forward) {
  const Output dy = g.dy(0);
  const Output share = reciprocal(g, transform_size(g, dy, kRank, real_type(dy.dtype())));
  g.set(0, mul(g, g.add(forward, {dy}), cast(g, share, dy.dtype())));
}

void fft1_grad(GradCtx& g) { fft_grad<1>(g, "IFFT"); }
void fft2_grad(GradCtx& g) { fft_grad<2>(g, "IFFT2D"); }
void fft3_grad(GradCtx& g) { fft_grad<3>(g, "IFFT3D"); }
void ifft1_grad(GradCtx& g) { ifft_grad<1>(g, "FFT"); }
void ifft2_grad(GradCtx& g) { ifft_grad<2>(g, "FFT2D"); }
void ifft3_grad(GradCtx& g) { ifft_grad<3>(g, "FFT3D"); }

}  // namespace

extern constexpr OpDecl kFFT{
    .name = "FFT",
    .doc = "The discrete Fourier transform of the last dimension.",
    .inputs = {"input: Tcomplex"},
    .outputs = {"output: Tcomplex"},
    .attrs = {"Tcomplex: {complex64, complex128} = DT_COMPLEX64"},
    .traits = kPure,
    .shape = fft_shape<1>,
    .grad = fft1_grad,
};
static_assert(well_formed(kFFT));

extern constexpr OpDecl kIFFT{
    .name = "IFFT",
    .doc = "The inverse of FFT.",
    .inputs = {"input: Tcomplex"},
    .outputs = {"output: Tcomplex"},
    .attrs = {"Tcomplex: {complex64, complex128} = DT_COMPLEX64"},
    .traits = kPure,
    .shape = fft_shape<1>,
    .grad = ifft1_grad,
};
static_assert(well_formed(kIFFT));

extern constexpr OpDecl kFFT2D{
    .name = "FFT2D",
    .doc = "The discrete Fourier transform of the last two dimensions.",
    .inputs = {"input: Tcomplex"},
    .outputs = {"output: Tcomplex"},
    .attrs = {"Tcomplex: {complex64, complex128} = DT_COMPLEX64"},
    .traits = kPure,
    .shape = fft_shape<2>,
    .grad = fft2_grad,
};
static_assert(well_formed(kFFT2D));

extern constexpr OpDecl kIFFT2D{
    .name = "IFFT2D",
    .doc = "The inverse of FFT2D.",
    .inputs = {"input: Tcomplex"},
    .outputs = {"output: Tcomplex"},
    .attrs = {"Tcomplex: {complex64, complex128} = DT_COMPLEX64"},
    .traits = kPure,
    .shape = fft_shape<2>,
    .grad = ifft2_grad,
};
static_assert(well_formed(kIFFT2D));

extern constexpr OpDecl kFFT3D{
    .name = "FFT3D",
    .doc = "The discrete Fourier transform of the last three dimensions.",
    .inputs = {"input: Tcomplex"},
    .outputs = {"output: Tcomplex"},
    .attrs = {"Tcomplex: {complex64, complex128} = DT_COMPLEX64"},
    .traits = kPure,
    .shape = fft_shape<3>,
    .grad = fft3_grad,
};
static_assert(well_formed(kFFT3D));

extern constexpr OpDecl kIFFT3D{
    .name = "IFFT3D",
    .doc = "The inverse of FFT3D.",
    .inputs = {"input: Tcomplex"},
    .outputs = {"output: Tcomplex"},
    .attrs = {"Tcomplex: {complex64, complex128} = DT_COMPLEX64"},
    .traits = kPure,
    .shape = fft_shape<3>,
    .grad = ifft3_grad,
};
static_assert(well_formed(kIFFT3D));

extern constexpr OpDecl kBatchFFT{
    .name = "BatchFFT",
    .doc = "What FFT does, for graphs of old.",
    .inputs = {"input: complex64"},
    .outputs = {"output: complex64"},
    .traits = kPure,
    .shape = fft_shape<1>,
    .grad = no_gradient,
    .deprecated = 15,
    .deprecated_why = "Use FFT",
};
static_assert(well_formed(kBatchFFT));

extern constexpr OpDecl kBatchIFFT{
    .name = "BatchIFFT",
    .doc = "What IFFT does, for graphs of old.",
    .inputs = {"input: complex64"},
    .outputs = {"output: complex64"},
    .traits = kPure,
    .shape = fft_shape<1>,
    .grad = no_gradient,
    .deprecated = 15,
    .deprecated_why = "Use IFFT",
};
static_assert(well_formed(kBatchIFFT));

extern constexpr OpDecl kBatchFFT2D{
    .name = "BatchFFT2D",
    .doc = "What FFT2D does, for graphs of old.",
    .inputs = {"input: complex64"},
    .outputs = {"output: complex64"},
    .traits = kPure,
    .shape = fft_shape<2>,
    .grad = no_gradient,
    .deprecated = 15,
    .deprecated_why = "Use FFT2D",
};
static_assert(well_formed(kBatchFFT2D));

extern constexpr OpDecl kBatchIFFT2D{
    .name = "BatchIFFT2D",
    .doc = "What IFFT2D does, for graphs of old.",
    .inputs = {"input: complex64"},
    .outputs = {"output: complex64"},
    .traits = kPure,
    .shape = fft_shape<2>,
    .grad = no_gradient,
    .deprecated = 15,
    .deprecated_why = "Use IFFT2D",
};
static_assert(well_formed(kBatchIFFT2D));

extern constexpr OpDecl kBatchFFT3D{
    .name = "BatchFFT3D",
    .doc = "What FFT3D does, for graphs of old.",
    .inputs = {"input: complex64"},
    .outputs = {"output: complex64"},
    .traits = kPure,
    .shape = fft_shape<3>,
    .grad = no_gradient,
    .deprecated = 15,
    .deprecated_why = "Use FFT3D",
};
static_assert(well_formed(kBatchFFT3D));

extern constexpr OpDecl kBatchIFFT3D{
    .name = "BatchIFFT3D",
    .doc = "What IFFT3D does, for graphs of old.",
    .inputs = {"input: complex64"},
    .outputs = {"output: complex64"},
    .traits = kPure,
    .shape = fft_shape<3>,
    .grad = no_gradient,
    .deprecated = 15,
    .deprecated_why = "Use IFFT3D",
};
static_assert(well_formed(kBatchIFFT3D));

}  // namespace rill
