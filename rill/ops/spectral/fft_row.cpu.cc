#include "rill/ops/spectral/fft_row.h"

#include <cstring>

#define HWY_TARGET_INCLUDE "rill/ops/spectral/fft_row.cpu.cc"
#define RILL_WIDE_LOOPS 1
#include "rill/ops/simd/each_target.h"

// Functions that take vectors are inlined; how a call would pass them does not matter.
#pragma GCC diagnostic ignored "-Wpsabi"

HWY_BEFORE_NAMESPACE();
#include "rill/ops/simd/wide_vectors.h"
// clang-format off
#include "rill/ops/spectral/fft_radix-inl.h"
// clang-format on
namespace rill::HWY_NAMESPACE {
namespace {

template <class T>
struct Vectors {
  typedef T Vector __attribute__((vector_size(32)));
  static constexpr std::size_t kLanes = 32 / sizeof(T);
};
template <class T>
using Vector = typename Vectors<T>::Vector;
template <class T>
using Numbers = Complex<Vector<T>>;
template <class T>
constexpr std::size_t kRowLanes = Vectors<T>::kLanes;

template <class T>
HWY_INLINE Vector<T> load(const T* x) {
  Vector<T> v;
  std::memcpy(&v, x, sizeof v);
  return v;
}
template <class T>
HWY_INLINE void store(T* x, const Vector<T>& v) {
  std::memcpy(x, &v, sizeof v);
}
template <class T>
HWY_INLINE Numbers<T> load(Split<const T> x, std::size_t i) {
  return {load(x.re + i), load(x.im + i)};
}
template <class T>
HWY_INLINE void store(Split<T> x, std::size_t i, const Numbers<T>& v) {
  store(x.re + i, v.re);
  store(x.im + i, v.im);
}

#define RILL_SHUFFLE __builtin_shufflevector
// Complex numbers, real part first, taken apart and put together.
HWY_INLINE Numbers<float> load_pairs(const float* x) {
  const Vector<float> a = load(x), b = load(x + 8);
  return {RILL_SHUFFLE(a, b, 0, 2, 4, 6, 8, 10, 12, 14),
          RILL_SHUFFLE(a, b, 1, 3, 5, 7, 9, 11, 13, 15)};
}
HWY_INLINE Numbers<double> load_pairs(const double* x) {
  const Vector<double> a = load(x), b = load(x + 4);
  return {RILL_SHUFFLE(a, b, 0, 2, 4, 6), RILL_SHUFFLE(a, b, 1, 3, 5, 7)};
}
HWY_INLINE void store_pairs(float* x, const Numbers<float>& v) {
  store(x, RILL_SHUFFLE(v.re, v.im, 0, 8, 1, 9, 2, 10, 3, 11));
  store(x + 8, RILL_SHUFFLE(v.re, v.im, 4, 12, 5, 13, 6, 14, 7, 15));
}
HWY_INLINE void store_pairs(double* x, const Numbers<double>& v) {
  store(x, RILL_SHUFFLE(v.re, v.im, 0, 4, 1, 5));
  store(x + 4, RILL_SHUFFLE(v.re, v.im, 2, 6, 3, 7));
}

// Eight vectors as rows of [lanes][8].
HWY_INLINE void store_turned(float* out, const Vector<float>* r) {
  Vector<float> s[8], t[8];
#pragma GCC unroll 4
  for (int i = 0; i < 8; i += 2) {
    s[i] = RILL_SHUFFLE(r[i], r[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
    s[i + 1] = RILL_SHUFFLE(r[i], r[i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
  }
#pragma GCC unroll 2
  for (int i = 0; i < 8; i += 4)
#pragma GCC unroll 2
    for (int k = 0; k < 2; ++k) {
      t[i + 2 * k] = RILL_SHUFFLE(s[i + k], s[i + k + 2], 0, 1, 8, 9, 4, 5, 12, 13);
      t[i + 2 * k + 1] = RILL_SHUFFLE(s[i + k], s[i + k + 2], 2, 3, 10, 11, 6, 7, 14, 15);
    }
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) {
    store(out + 8 * i, RILL_SHUFFLE(t[i], t[i + 4], 0, 1, 2, 3, 8, 9, 10, 11));
    store(out + 8 * (i + 4), RILL_SHUFFLE(t[i], t[i + 4], 4, 5, 6, 7, 12, 13, 14, 15));
  }
}
HWY_INLINE void store_turned(double* out, const Vector<double>* r) {
#pragma GCC unroll 2
  for (int i = 0; i < 8; i += 4) {
    const Vector<double> a = RILL_SHUFFLE(r[i], r[i + 1], 0, 4, 2, 6);
    const Vector<double> b = RILL_SHUFFLE(r[i], r[i + 1], 1, 5, 3, 7);
    const Vector<double> c = RILL_SHUFFLE(r[i + 2], r[i + 3], 0, 4, 2, 6);
    const Vector<double> d = RILL_SHUFFLE(r[i + 2], r[i + 3], 1, 5, 3, 7);
    store(out + i, RILL_SHUFFLE(a, c, 0, 1, 4, 5));
    store(out + i + 8, RILL_SHUFFLE(b, d, 0, 1, 4, 5));
    store(out + i + 16, RILL_SHUFFLE(a, c, 2, 3, 6, 7));
    store(out + i + 24, RILL_SHUFFLE(b, d, 2, 3, 6, 7));
  }
}
#undef RILL_SHUFFLE

template <class V>
HWY_INLINE Complex<V> exchanged(const Complex<V>& x, bool are) {
  return are ? Complex<V>{x.im, x.re} : x;
}

template <class T, bool is_exchanged>
HWY_INLINE void first_step(Split<T> out, const T* in, Split<const T> roots, std::size_t groups) {
  using V = Vector<T>;
  for (std::size_t p = 0; p < groups; p += kRowLanes<T>) {
    Numbers<T> x[8];
#pragma GCC unroll 8
    for (std::size_t j = 0; j < 8; ++j)
      x[j] = exchanged(load_pairs(in + 2 * (p + j * groups)), is_exchanged);
    Radix8<V, T>::transform(x);
    V re[8], im[8];
#pragma GCC unroll 8
    for (std::size_t k = 0; k < 8; ++k) {
      if (k > 0) x[k] = load(roots, (k - 1) * groups + p) * x[k];
      re[k] = x[k].re;
      im[k] = x[k].im;
    }
    store_turned(out.re + 8 * p, re);
    store_turned(out.im + 8 * p, im);
  }
}

template <class T>
void first(Split<T> out, const T* in, Split<const T> roots, std::size_t groups, bool is_exchanged) {
  if (is_exchanged)
    first_step<T, true>(out, in, roots, groups);
  else
    first_step<T, false>(out, in, roots, groups);
}

template <class Radix, class T>
void middle(Split<T> out, Split<const T> in, Split<const T> roots, std::size_t groups,
            std::size_t width) {
  constexpr std::size_t kRadix = Radix::kRadix;
  for (std::size_t p = 0; p < groups; ++p) {
    const Split<const T> from = in + p * width;
    const Split<T> to = out + p * kRadix * width;
    Complex<T> root[kRadix];
    for (std::size_t k = 1; k < kRadix; ++k) {
      const std::size_t at = p * (kRadix - 1) + k - 1;
      root[k] = {roots.re[at], roots.im[at]};
    }
    for (std::size_t q = 0; q < width; q += kRowLanes<T>) {
      Numbers<T> x[kRadix];
#pragma GCC unroll 8
      for (std::size_t j = 0; j < kRadix; ++j) x[j] = load(from, j * groups * width + q);
      Radix::transform(x);
      store(to, q, x[0]);
#pragma GCC unroll 8
      for (std::size_t k = 1; k < kRadix; ++k) {
        // The first group's roots are 1.
        const Numbers<T> y = p == 0 ? x[k]
                                    : Numbers<T>{root[k].re * x[k].re - root[k].im * x[k].im,
                                                 root[k].re * x[k].im + root[k].im * x[k].re};
        store(to, k * width + q, y);
      }
    }
  }
}

template <class Radix, class T>
void last(T* out, Split<const T> in, std::size_t width, T scale, bool is_exchanged) {
  constexpr std::size_t kRadix = Radix::kRadix;
  for (std::size_t q = 0; q < width; q += kRowLanes<T>) {
    Numbers<T> x[kRadix];
#pragma GCC unroll 8
    for (std::size_t j = 0; j < kRadix; ++j) x[j] = load(in, j * width + q);
    Radix::transform(x);
#pragma GCC unroll 8
    for (std::size_t k = 0; k < kRadix; ++k)
      store_pairs(out + 2 * (k * width + q), exchanged(scale * x[k], is_exchanged));
  }
}

// With the transforms E and O of the numbers with even and odd places, z is E + i O; the transform
// of all is E + root * O.
template <class T>
void from_pairs(T* out, Split<const T> z, Split<const T> roots, std::size_t size) {
  out[0] = z.re[0] + z.im[0];
  out[1] = 0;
  out[2 * size] = z.re[0] - z.im[0];
  out[2 * size + 1] = 0;
#pragma GCC ivdep
  for (std::size_t k = 1; k < size; ++k) {
    const T a = z.re[k], b = z.im[k], c = z.re[size - k], d = z.im[size - k];
    const T even_re = a + c, even_im = b - d, odd_re = b + d, odd_im = c - a;
    out[2 * k] = T(0.5) * (even_re + (roots.re[k] * odd_re - roots.im[k] * odd_im));
    out[2 * k + 1] = T(0.5) * (even_im + (roots.re[k] * odd_im + roots.im[k] * odd_re));
  }
}

template <class T>
void to_pairs(T* z, const T* in, Split<const T> roots, std::size_t size) {
  // The first and the last number are real, whatever stands there.
  z[0] = T(0.5) * (in[0] + in[2 * size]);
  z[1] = T(0.5) * (in[0] - in[2 * size]);
#pragma GCC ivdep
  for (std::size_t k = 1; k < size; ++k) {
    const T a = in[2 * k], b = in[2 * k + 1];
    const T c = in[2 * (size - k)], d = in[2 * (size - k) + 1];
    const T even_re = a + c, even_im = b - d, odd_re = a - c, odd_im = b + d;
    // i times the conjugate of the root.
    const T re = roots.im[k], im = roots.re[k];
    z[2 * k] = T(0.5) * (even_re + (re * odd_re - im * odd_im));
    z[2 * k + 1] = T(0.5) * (even_im + (re * odd_im + im * odd_re));
  }
}

template <class T>
const FftRowPasses<T>& row_passes() {
  using V = Vector<T>;
  static constexpr FftRowPasses<T> kPasses{
      first<T>,
      {nullptr, nullptr, middle<Radix2<V, T>, T>, middle<Radix3<V, T>, T>, middle<Radix4<V, T>, T>,
       middle<Radix5<V, T>, T>, nullptr, nullptr, middle<Radix8<V, T>, T>},
      {nullptr, nullptr, last<Radix2<V, T>, T>, last<Radix3<V, T>, T>, last<Radix4<V, T>, T>,
       last<Radix5<V, T>, T>, nullptr, nullptr, last<Radix8<V, T>, T>},
      from_pairs<T>,
      to_pairs<T>};
  return kPasses;
}

}  // namespace

const FftRowPasses<float>& float_fft_row_passes() { return row_passes<float>(); }
const FftRowPasses<double>& double_fft_row_passes() { return row_passes<double>(); }

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

HWY_EXPORT(float_fft_row_passes);
HWY_EXPORT(double_fft_row_passes);

template <>
const FftRowPasses<float>& fft_row_passes<float>() {
  return HWY_DYNAMIC_DISPATCH(float_fft_row_passes)();
}
template <>
const FftRowPasses<double>& fft_row_passes<double>() {
  return HWY_DYNAMIC_DISPATCH(double_fft_row_passes)();
}

}  // namespace rill
#endif
