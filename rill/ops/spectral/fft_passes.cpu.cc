#include "rill/ops/spectral/fft_passes.h"

#include <cstring>

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

inline std::size_t least(std::size_t a, std::size_t b) { return a < b ? a : b; }

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

#if HWY_TARGET == HWY_AVX3
constexpr int kOddBytes = 64;
#elif HWY_TARGET == HWY_AVX2
constexpr int kOddBytes = 32;
#else
constexpr int kOddBytes = 16;
#endif

// Numbers [q, q + lanes) of the rows that one group of an odd radix reads and writes.
template <class T>
struct OddGroup {
  Split<T> to;
  Split<const T> from, circle, roots;  // no roots where all are 1
  std::size_t radix, width, stride;    // stride: between the rows that are read
};

// Rows j and radix - j, added and subtracted, give results k and radix - k with half of the
// products.
template <class T, int bytes>
struct OddLanes {
  typedef T Vector __attribute__((vector_size(bytes)));
  static constexpr std::size_t kLanes = bytes / sizeof(T);

  explicit OddLanes(const OddGroup<T>& group, std::size_t q) : g(group), half((g.radix - 1) / 2) {
    load(first, q);
    for (std::size_t j = 1; j <= half; ++j) {
      Vector x[2], y[2];
      load(x, j * g.stride + q);
      load(y, (g.radix - j) * g.stride + q);
      for (int part = 0; part < 2; ++part) {
        added[j - 1][part] = x[part] + y[part];
        subtracted[j - 1][part] = x[part] - y[part];
      }
    }
  }

  void load(Vector* x, std::size_t i) const {
    std::memcpy(&x[0], g.from.re + i, sizeof x[0]);
    std::memcpy(&x[1], g.from.im + i, sizeof x[1]);
  }
  void store(std::size_t k, std::size_t q, const Vector& re, const Vector& im) const {
    Vector x[2] = {re, im};
    if (g.roots.re != nullptr && k > 0) {
      const Complex<T> root = at(g.roots, k - 1);
      x[0] = root.re * re - root.im * im;
      x[1] = root.re * im + root.im * re;
    }
    std::memcpy(g.to.re + k * g.width + q, &x[0], sizeof x[0]);
    std::memcpy(g.to.im + k * g.width + q, &x[1], sizeof x[1]);
  }

  void store_sum(std::size_t q) const {
    Vector re = first[0], im = first[1];
    for (std::size_t j = 0; j < half; ++j) {
      re += added[j][0];
      im += added[j][1];
    }
    store(0, q, re, im);
  }

  // Results k, ..., k + count - 1 and their mirror images.
  template <int count>
  void store_pairs(std::size_t k, std::size_t q) const {
    Vector cosines[count][2], sines[count][2] = {};
    std::size_t angle[count] = {};
    for (int i = 0; i < count; ++i)
      for (int part = 0; part < 2; ++part) cosines[i][part] = first[part];
    for (std::size_t j = 0; j < half; ++j)
      for (int i = 0; i < count; ++i) {
        angle[i] += k + static_cast<std::size_t>(i);
        if (angle[i] >= g.radix) angle[i] -= g.radix;
        const Complex<T> root = at(g.circle, angle[i]);
        for (int part = 0; part < 2; ++part) {
          cosines[i][part] += root.re * added[j][part];
          sines[i][part] += root.im * subtracted[j][part];
        }
      }
    for (int i = 0; i < count; ++i) {
      const std::size_t to = k + static_cast<std::size_t>(i);
      store(to, q, cosines[i][0] - sines[i][1], cosines[i][1] + sines[i][0]);
      store(g.radix - to, q, cosines[i][0] + sines[i][1], cosines[i][1] - sines[i][0]);
    }
  }

  static constexpr std::size_t kMaxPairs = (kMaxFftRadix - 1) / 2;
  const OddGroup<T>& g;
  const std::size_t half;
  Vector first[2], added[kMaxPairs][2], subtracted[kMaxPairs][2];
};

// Numbers from q on, as long as they fill vectors; where some of the row's were done before, the
// last ones with some of those again.
template <class T, int bytes>
std::size_t odd_radix_lanes(const OddGroup<T>& group, std::size_t q) {
  constexpr std::size_t kLanes = bytes / sizeof(T);
  if (group.width < kLanes) return q;
  for (; q < group.width; q += kLanes) {
    q = least(q, group.width - kLanes);
    const OddLanes<T, bytes> lanes(group, q);
    lanes.store_sum(q);
    std::size_t k = 1;
    for (; k + 1 <= lanes.half; k += 2) lanes.template store_pairs<2>(k, q);
    if (k <= lanes.half) lanes.template store_pairs<1>(k, q);
  }
  return group.width;
}

template <class T>
void odd_radix(Split<T> out, Split<const T> in, Split<const T> roots, std::size_t groups,
               std::size_t width, std::size_t radix, Split<const T> circle) {
  for (std::size_t p = 0; p < groups; ++p) {
    const OddGroup<T> group{
        .to = out + p * radix * width,
        .from = in + p * width,
        .circle = circle,
        .roots = p == 0 ? Split<const T>{nullptr, nullptr} : roots + p * (radix - 1),
        .radix = radix,
        .width = width,
        .stride = groups * width};
    std::size_t done = odd_radix_lanes<T, kOddBytes>(group, 0);
    if (done < width) done = odd_radix_lanes<T, 16>(group, done);
    if (done < width) odd_radix_lanes<T, sizeof(T)>(group, done);
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
  static constexpr FftPasses<T> kPasses{pass<Radix2<T>, T>, pass<Radix3<T>, T>, pass<Radix4<T>, T>,
                                        pass<Radix5<T>, T>, pass<Radix8<T>, T>, odd_radix<T>,
                                        multiply<T>,        split<T>,           interleave<T>,
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
