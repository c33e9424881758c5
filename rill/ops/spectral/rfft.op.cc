#include "rill/graph/gradient_parts.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

// The last dimensions become fft_length, input 1; the very last one what `last` makes of it.
Shapes real_fft_shape(const ShapeCtx& c, int rank, std::int64_t (*last)(std::int64_t)) {
  require(!c.input(0).has_rank() || c.input(0).rank() >= rank,
          when_run("Input must have rank of at least ", rank, " but got: ", c.input(0)),
          when_built("Shape must be at least rank ", rank, " but is rank ", c.input(0).rank()));
  require(!c.input(1).has_rank() || c.input(1).rank() == 1,
          when_run("fft_length must have shape [", rank, "], not ", c.input(1)),
          when_built("Shape must be rank 1 but is rank ", c.input(1).rank()));
  require(!c.input(1).has_rank() || compatible(c.input(1).dim(0), rank),
          when_run("fft_length must have shape [", rank, "], not ", c.input(1)),
          when_built("Dimension must be ", rank, " but is ", c.input(1).dim(0)));
  std::vector<std::int64_t> lengths(static_cast<std::size_t>(rank), kUnknownDim);
  if (c.int_values(1, &lengths))
    for (int i = 0; i < rank; ++i)
      require(lengths[static_cast<std::size_t>(i)] >= 0, "fft_length[", i,
              "] must >= 0, but got: ", lengths[static_cast<std::size_t>(i)]);
  if (!c.input(0).has_rank()) return {PartialShape()};
  PartialShape out = PartialShape::scalar();
  for (int d = 0; d < c.input(0).rank() - rank; ++d) out.add_dim(c.input(0).dim(d));
  for (int i = 0; i + 1 < rank; ++i) out.add_dim(lengths[static_cast<std::size_t>(i)]);
  out.add_dim(lengths.back() < 0 ? kUnknownDim : last(lengths.back()));
  return {out};
}

std::int64_t half_of(std::int64_t length) { return length == 0 ? 0 : length / 2 + 1; }
std::int64_t all_of(std::int64_t length) { return length; }

template <int kRank>
Shapes rfft_shape(const ShapeCtx& c) {
  return real_fft_shape(c, kRank, half_of);
}
template <int kRank>
Shapes irfft_shape(const ShapeCtx& c) {
  return real_fft_shape(c, kRank, all_of);
}

// A matrix of paddings: nothing before, and behind the last dimensions what the vector says.
Output paddings(GradCtx& g, Output x, Output behind) {
  const Output rank = rank_of(g, x);
  const Output others = sub(g, rank, size_of(g, behind));
  const Output dims = g.add("Pack", {std::vector<Input>{others}}, {{"axis", 0}}, "stack");
  const Output all = concat(g, {g.add("Fill", {dims, number(g, 0, DType::i32)}), behind});
  return g.add("Pack", {std::vector<Input>{zeros_like(g, all), all}}, {{"axis", 1}}, "stack");
}

Output size_from(GradCtx& g, Output lengths, DType type) {
  return cast(g, prod_of_vector(g, lengths), type);
}

// What was cropped away has no influence.
Output back_to_input(GradCtx& g, Output dx, int rank) {
  const Output x = g.input(0);
  const Output cropped = sub(g, slice_vector(g, shape_of(g, x), -rank, {}),
                             slice_vector(g, shape_of(g, dx), -rank, {}));
  return g.add("Pad", {dx, paddings(g, dx, cropped)});
}

// The dropped half of the spectrum has no gradient: with zeros there, the gradient is that of the
// complex transform.
void rfft_grad(GradCtx& g, int rank, const char* inverse) {
  const Output lengths = g.input(1), dy = g.dy(0);
  const Output missing =
      sub(g, slice_vector(g, lengths, -1, {}), slice_vector(g, shape_of(g, dy), -1, {}));
  const Output whole = g.add("Pad", {dy, paddings(g, dy, missing)});
  const Output real = g.add("Real", {g.add(inverse, {whole})}, {{"Tout", DType::f32}});
  g.set(0, back_to_input(g, mul(g, real, size_from(g, lengths, DType::f32)), rank));
}

// Numbers of the spectrum that have a mirror image count twice.
Output mirror_weights(GradCtx& g, Output last_length, Output numbers) {
  const std::int64_t one_dim[] = {1};
  const Output is_odd = floormod(g, last_length, 2);
  const auto fill = [&](Input dims, double value) {
    return g.add("Fill", {dims, number(g, value, DType::f32)});
  };
  const Output first = fill(int_vector(one_dim), 1);
  const Output twos = fill(sub(g, add(g, numbers, is_odd), 2), 2);
  const Output last = fill(sub(g, int_vector(one_dim), is_odd), 1);
  return concat(g, {first, twos, last});
}

void irfft_grad(GradCtx& g, int rank, const char* forward) {
  const Output lengths = g.input(1), dy = g.dy(0);
  const Output spectrum = g.add(forward, {dy, lengths});
  const Output numbers = slice_vector(g, shape_of(g, spectrum), -1, {});
  const Output weights = truediv(g, mirror_weights(g, slice_vector(g, lengths, -1, {}), numbers),
                                 size_from(g, lengths, DType::f32));
  g.set(0, back_to_input(g, mul(g, spectrum, cast(g, weights, DType::c64)), rank));
}

void rfft1_grad(GradCtx& g) { rfft_grad(g, 1, "IFFT"); }
void rfft2_grad(GradCtx& g) { rfft_grad(g, 2, "IFFT2D"); }
void irfft1_grad(GradCtx& g) { irfft_grad(g, 1, "RFFT"); }
void irfft2_grad(GradCtx& g) { irfft_grad(g, 2, "RFFT2D"); }

}  // namespace

extern constexpr OpDecl kRFFT{
    .name = "RFFT",
    .doc =
        "The discrete Fourier transform of the first fft_length real numbers of the last "
        "dimension: the fft_length / 2 + 1 numbers that tell the others.",
    .inputs = {"input: float", "fft_length: int32"},
    .outputs = {"output: complex64"},
    .traits = kPure,
    .shape = rfft_shape<1>,
    .grad = rfft1_grad,
};
static_assert(well_formed(kRFFT));

extern constexpr OpDecl kIRFFT{
    .name = "IRFFT",
    .doc = "The inverse of RFFT, of fft_length / 2 + 1 numbers.",
    .inputs = {"input: complex64", "fft_length: int32"},
    .outputs = {"output: float"},
    .traits = kPure,
    .shape = irfft_shape<1>,
    .grad = irfft1_grad,
};
static_assert(well_formed(kIRFFT));

extern constexpr OpDecl kRFFT2D{
    .name = "RFFT2D",
    .doc = "RFFT of the last dimension and FFT of the one before it.",
    .inputs = {"input: float", "fft_length: int32"},
    .outputs = {"output: complex64"},
    .traits = kPure,
    .shape = rfft_shape<2>,
    .grad = rfft2_grad,
};
static_assert(well_formed(kRFFT2D));

extern constexpr OpDecl kIRFFT2D{
    .name = "IRFFT2D",
    .doc = "The inverse of RFFT2D.",
    .inputs = {"input: complex64", "fft_length: int32"},
    .outputs = {"output: float"},
    .traits = kPure,
    .shape = irfft_shape<2>,
    .grad = irfft2_grad,
};
static_assert(well_formed(kIRFFT2D));

extern constexpr OpDecl kRFFT3D{
    .name = "RFFT3D",
    .doc = "RFFT of the last dimension and FFT of the two before it.",
    .inputs = {"input: float", "fft_length: int32"},
    .outputs = {"output: complex64"},
    .traits = kPure,
    .shape = rfft_shape<3>,
    .grad = no_gradient,
};
static_assert(well_formed(kRFFT3D));

extern constexpr OpDecl kIRFFT3D{
    .name = "IRFFT3D",
    .doc = "The inverse of RFFT3D.",
    .inputs = {"input: complex64", "fft_length: int32"},
    .outputs = {"output: float"},
    .traits = kPure,
    .shape = irfft_shape<3>,
    .grad = no_gradient,
};
static_assert(well_formed(kIRFFT3D));

}  // namespace rill
