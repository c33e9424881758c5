#pragma once

#include <cstddef>

namespace rill {

// Prime factors above need a convolution; below, it takes longer than the plain sum.
constexpr std::size_t kMaxFftRadix = 61;

// Complex numbers with the parts apart.
template <class T>
struct Split {
  T* re;
  T* im;
  Split operator+(std::size_t i) const { return {re + i, im + i}; }
};

// One step of a Stockham transform over numbers [groups x radix] that are rows of `width` each: row
// (p + j * groups) of `in` for j < radix become, multiplied by roots[p][k], row (p * radix + k) of
// `out`. Roots are [groups][radix - 1], for k from 1 on.
template <class T>
using FftPass = void (*)(Split<T> out, Split<const T> in, Split<const T> roots, std::size_t groups,
                         std::size_t width);

template <class T>
struct FftPasses {
  FftPass<T> radix2, radix3, radix4, radix5, radix8;
  // Any odd radix up to the largest; `circle` holds the radix-th roots of unity.
  void (*odd_radix)(Split<T> out, Split<const T> in, Split<const T> roots, std::size_t groups,
                    std::size_t width, std::size_t radix, Split<const T> circle);
  // x[i] *= y[i]
  void (*multiply)(Split<T> x, Split<const T> y, std::size_t count);
  // Between complex numbers, real part first, and split ones; `interleave` multiplies by `scale`.
  void (*split)(Split<T> out, const T* in, std::size_t count);
  void (*interleave)(T* out, Split<const T> in, std::size_t count, T scale);
  // out is [columns][rows], in is [rows][columns].
  void (*transpose)(Split<T> out, Split<const T> in, std::size_t rows, std::size_t columns);
};

template <class T>
const FftPasses<T>& fft_passes();
template <>
const FftPasses<float>& fft_passes<float>();
template <>
const FftPasses<double>& fft_passes<double>();

}  // namespace rill
