#include "rill/ops/spectral/fft_passes.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "rill/ops/spectral/fft_passes.cpu.cc"
#define RILL_WIDE_LOOPS 1
#include "rill/ops/simd/each_target.h"

HWY_BEFORE_NAMESPACE();
#include "rill/ops/simd/wide_vectors.h"
// clang-format off
#include "rill/ops/spectral/fft_radix-inl.h"
// clang-format on
namespace rill::HWY_NAMESPACE {
namespace {

template <class T>
inline Complex<T> at(Split<const T> x, std::size_t i) {
  return {x.re[i], x.im[i]};
}
template <class T>
inline void put(Split<T> x, std::size_t i, Complex<T> value) {
  x.re[i] = value.re;
  x.im[i] = value.im;
}

template <class Radix, class T>
void pass(Split<T> out, Split<const T> in, Split<const T> roots, std::size_t groups,
          std::size_t width) {
  constexpr std::size_t kRadix = Radix::kRadix;
  for (std::size_t p = 0; p < groups; ++p) {
    const Split<const T> from = in + p * width;
    const Split<T> to = out + p * kRadix * width;
    Complex<T> root[kRadix];
    for (std::size_t k = 1; k < kRadix; ++k) root[k] = at(roots, p * (kRadix - 1) + k - 1);
    if (p == 0) {  // all roots are 1
#pragma GCC ivdep
      for (std::size_t q = 0; q < width; ++q) {
        Complex<T> x[kRadix];
        for (std::size_t j = 0; j < kRadix; ++j) x[j] = at(from, j * groups * width + q);
        Radix::transform(x);
        for (std::size_t k = 0; k < kRadix; ++k) put(to, k * width + q, x[k]);
      }
      continue;
    }
#pragma GCC ivdep
    for (std::size_t q = 0; q < width; ++q) {
      Complex<T> x[kRadix];
      for (std::size_t j = 0; j < kRadix; ++j) x[j] = at(from, j * groups * width + q);
      Radix::transform(x);
      put(to, q, x[0]);
      for (std::size_t k = 1; k < kRadix; ++k) put(to, k * width + q, root[k] * x[k]);
    }
  }
}

template <class T>
void any_radix(Split<T> out, Split<const T> in, Split<const T> roots, std::size_t groups,
               std::size_t width, std::size_t radix, Split<const T> circle) {
  for (std::size_t p = 0; p < groups; ++p)
    for (std::size_t k = 0; k < radix; ++k) {
      const Split<T> to = out + (p * radix + k) * width;
      for (std::size_t j = 0; j < radix; ++j) {
        const Split<const T> from = in + (p + j * groups) * width;
        const Complex<T> root = at(circle, j * k % radix);
        if (j == 0) {
          for (std::size_t q = 0; q < width; ++q) put(to, q, at(from, q));
          continue;
        }
#pragma GCC ivdep
        for (std::size_t q = 0; q < width; ++q)
          put(to, q, Complex<T>{to.re[q], to.im[q]} + root * at(from, q));
      }
      if (p == 0 || k == 0) continue;
      const Complex<T> root = at(roots, p * (radix - 1) + k - 1);
#pragma GCC ivdep
      for (std::size_t q = 0; q < width; ++q) put(to, q, root * Complex<T>{to.re[q], to.im[q]});
    }
}

template <class T>
void multiply(Split<T> x, Split<const T> y, std::size_t count) {
#pragma GCC ivdep
  for (std::size_t i = 0; i < count; ++i) put(x, i, Complex<T>{x.re[i], x.im[i]} * at(y, i));
}

template <class T>
void split(Split<T> out, const T* in, std::size_t count) {
#pragma GCC ivdep
  for (std::size_t i = 0; i < count; ++i) put(out, i, Complex<T>{in[2 * i], in[2 * i + 1]});
}

template <class T>
void interleave(T* out, Split<const T> in, std::size_t count, T scale) {
#pragma GCC ivdep
  for (std::size_t i = 0; i < count; ++i) {
    out[2 * i] = in.re[i] * scale;
    out[2 * i + 1] = in.im[i] * scale;
  }
}

constexpr std::size_t kTile = 8;  // rows and columns that go together, for the caches' sake

inline std::size_t least(std::size_t a, std::size_t b) { return a < b ? a : b; }

template <class T>
void split_transposed(Split<T> out, std::size_t out_stride, const T* in, std::size_t in_stride,
                      std::size_t rows, std::size_t columns) {
  for (std::size_t c0 = 0; c0 < columns; c0 += kTile)
    for (std::size_t r0 = 0; r0 < rows; r0 += kTile)
      for (std::size_t c = c0; c < least(c0 + kTile, columns); ++c)
        for (std::size_t r = r0; r < least(r0 + kTile, rows); ++r) {
          const T* from = in + 2 * (r * in_stride + c);
          put(out, c * out_stride + r, Complex<T>{from[0], from[1]});
        }
}

template <class T>
void interleave_transposed(T* out, std::size_t out_stride, Split<const T> in, std::size_t in_stride,
                           std::size_t rows, std::size_t columns, T scale) {
  for (std::size_t r0 = 0; r0 < rows; r0 += kTile)
    for (std::size_t c0 = 0; c0 < columns; c0 += kTile)
      for (std::size_t c = c0; c < least(c0 + kTile, columns); ++c)
        for (std::size_t r = r0; r < least(r0 + kTile, rows); ++r) {
          const Complex<T> value = at(in, r * in_stride + c);
          T* to = out + 2 * (c * out_stride + r);
          to[0] = value.re * scale;
          to[1] = value.im * scale;
        }
}

template <class T>
void transpose(Split<T> out, Split<const T> in, std::size_t rows, std::size_t columns) {
  for (std::size_t r0 = 0; r0 < rows; r0 += kTile)
    for (std::size_t c0 = 0; c0 < columns; c0 += kTile)
      for (std::size_t c = c0; c < least(c0 + kTile, columns); ++c)
        for (std::size_t r = r0; r < least(r0 + kTile, rows); ++r)
          put(out, c * rows + r, at(in, r * columns + c));
}

template <class T>
const FftPasses<T>& passes() {
  static constexpr FftPasses<T> kPasses{pass<Radix2<T>, T>,
                                        pass<Radix3<T>, T>,
                                        pass<Radix4<T>, T>,
                                        pass<Radix5<T>, T>,
                                        pass<Radix8<T>, T>,
                                        any_radix<T>,
                                        multiply<T>,
                                        split<T>,
                                        interleave<T>,
                                        split_transposed<T>,
                                        interleave_transposed<T>,
                                        transpose<T>};
  return kPasses;
}

}  // namespace

const FftPasses<float>& float_fft_passes() { return passes<float>(); }
const FftPasses<double>& double_fft_passes() { return passes<double>(); }

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

HWY_EXPORT(float_fft_passes);
HWY_EXPORT(double_fft_passes);

template <>
const FftPasses<float>& fft_passes<float>() {
  return HWY_DYNAMIC_DISPATCH(float_fft_passes)();
}
template <>
const FftPasses<double>& fft_passes<double>() {
  return HWY_DYNAMIC_DISPATCH(double_fft_passes)();
}

}  // namespace rill
#endif
