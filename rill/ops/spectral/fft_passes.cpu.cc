#include "rill/ops/spectral/fft_passes.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "rill/ops/spectral/fft_passes.cpu.cc"
#define RILL_WIDE_LOOPS 1
#include "rill/ops/simd/each_target.h"

HWY_BEFORE_NAMESPACE();
#include "rill/ops/simd/wide_vectors.h"
namespace rill::HWY_NAMESPACE {
namespace {

template <class T>
struct Complex {
  T re, im;
};
template <class T>
inline Complex<T> operator+(Complex<T> a, Complex<T> b) {
  return {a.re + b.re, a.im + b.im};
}
template <class T>
inline Complex<T> operator-(Complex<T> a, Complex<T> b) {
  return {a.re - b.re, a.im - b.im};
}
template <class T>
inline Complex<T> operator*(Complex<T> a, Complex<T> b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
template <class T>
inline Complex<T> operator*(T a, Complex<T> b) {
  return {a * b.re, a * b.im};
}
// Times -i.
template <class T>
inline Complex<T> turned(Complex<T> a) {
  return {a.im, -a.re};
}

template <class T>
inline Complex<T> at(Split<const T> x, std::size_t i) {
  return {x.re[i], x.im[i]};
}
template <class T>
inline void put(Split<T> x, std::size_t i, Complex<T> value) {
  x.re[i] = value.re;
  x.im[i] = value.im;
}

// The small transforms, of x in place.
template <class T>
struct Radix2 {
  static constexpr std::size_t kRadix = 2;
  static inline void transform(Complex<T>* x) {
    const Complex<T> a = x[0], b = x[1];
    x[0] = a + b;
    x[1] = a - b;
  }
};

template <class T>
struct Radix3 {
  static constexpr std::size_t kRadix = 3;
  static inline void transform(Complex<T>* x) {
    constexpr T kSine = T(0.866025403784438646763723170752936183L);
    const Complex<T> sum = x[1] + x[2];
    const Complex<T> middle = x[0] - T(0.5) * sum, side = kSine * turned(x[1] - x[2]);
    x[0] = x[0] + sum;
    x[1] = middle + side;
    x[2] = middle - side;
  }
};

template <class T>
struct Radix4 {
  static constexpr std::size_t kRadix = 4;
  static inline void transform(Complex<T>* x) {
    const Complex<T> a = x[0] + x[2], b = x[0] - x[2];
    const Complex<T> c = x[1] + x[3], d = turned(x[1] - x[3]);
    x[0] = a + c;
    x[1] = b + d;
    x[2] = a - c;
    x[3] = b - d;
  }
};

template <class T>
struct Radix5 {
  static constexpr std::size_t kRadix = 5;
  static inline void transform(Complex<T>* x) {
    constexpr T kCos1 = T(0.309016994374947424102293417182819059L);
    constexpr T kCos2 = T(-0.809016994374947424102293417182819059L);
    constexpr T kSin1 = T(0.951056516295153572116439333379382143L);
    constexpr T kSin2 = T(0.587785252292473129168705954639072769L);
    const Complex<T> a = x[1] + x[4], b = x[2] + x[3];
    const Complex<T> c = turned(x[1] - x[4]), d = turned(x[2] - x[3]);
    const Complex<T> first = x[0] + kCos1 * a + kCos2 * b, second = x[0] + kCos2 * a + kCos1 * b;
    const Complex<T> side1 = kSin1 * c + kSin2 * d, side2 = kSin2 * c - kSin1 * d;
    x[0] = x[0] + a + b;
    x[1] = first + side1;
    x[4] = first - side1;
    x[2] = second + side2;
    x[3] = second - side2;
  }
};

template <class T>
struct Radix8 {
  static constexpr std::size_t kRadix = 8;
  static inline void transform(Complex<T>* x) {
    constexpr T kHalf = T(0.707106781186547524400844362104849039L);
    Complex<T> even[4] = {x[0], x[2], x[4], x[6]}, odd[4] = {x[1], x[3], x[5], x[7]};
    Radix4<T>::transform(even);
    Radix4<T>::transform(odd);
    odd[1] = {kHalf * (odd[1].re + odd[1].im), kHalf * (odd[1].im - odd[1].re)};
    odd[2] = turned(odd[2]);
    odd[3] = {kHalf * (odd[3].im - odd[3].re), -kHalf * (odd[3].im + odd[3].re)};
    for (int k = 0; k < 4; ++k) {
      x[k] = even[k] + odd[k];
      x[k + 4] = even[k] - odd[k];
    }
  }
};

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
