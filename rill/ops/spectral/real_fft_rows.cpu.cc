#include <algorithm>

#include "rill/ops/array/slice/transpose_tiles.h"
#include "rill/ops/spectral/fft_axis.h"
#include "rill/ops/spectral/fft_room.h"

namespace rill {
namespace {

using namespace fft;

// Rows 2 i and 2 i + 1 are the real and the imaginary part of sequence i; a missing last row is 0.
template <class T>
struct Pairs {
  std::size_t rows, size, half;  // half: numbers of a result
  std::size_t count() const { return (rows + 1) / 2; }
};

constexpr std::size_t kMinTurned = 4;  // pairs side by side that are worth a transposition

// Numbers [columns][rows], `from_stride` apart, become [rows][columns], `to_stride` apart.
template <class Number>
void transpose_numbers(Number* to, std::size_t to_stride, const Number* from,
                       std::size_t from_stride, std::size_t rows, std::size_t columns) {
  transpose_tiles(sizeof(Number), {.dst = to,
                                   .src = from,
                                   .dst_stride = static_cast<std::int64_t>(to_stride),
                                   .src_stride = static_cast<std::int64_t>(from_stride),
                                   .rows = static_cast<std::int64_t>(rows),
                                   .columns = static_cast<std::int64_t>(columns)});
}

// How many of `width` pairs from `first` on have a second row.
template <class T>
std::size_t whole_pairs(const Pairs<T>& pairs, std::size_t first, std::size_t width) {
  return std::min(width, pairs.rows / 2 - first);
}

template <class T>
void take_turned_pairs(Split<T> x, const T* in, const Pairs<T>& pairs, std::size_t first,
                       std::size_t width) {
  const T* from = in + 2 * first * pairs.size;
  const std::size_t whole = whole_pairs(pairs, first, width);
  transpose_numbers(x.re, width, from, 2 * pairs.size, pairs.size, width);
  if (whole > 0)
    transpose_numbers(x.im, width, from + pairs.size, 2 * pairs.size, pairs.size, whole);
  for (std::size_t n = 0; n < pairs.size && whole < width; ++n) x.im[n * width + whole] = 0;
}

template <class T>
void take_pairs(Split<T> x, const T* in, const Pairs<T>& pairs, std::size_t first,
                std::size_t width) {
  if (width >= kMinTurned) return take_turned_pairs(x, in, pairs, first, width);
  for (std::size_t lane = 0; lane < width; ++lane) {
    const std::size_t row = 2 * (first + lane);
    const T* a = in + row * pairs.size;
    for (std::size_t n = 0; n < pairs.size; ++n) x.re[n * width + lane] = a[n];
    if (row + 1 < pairs.rows) {
      const T* b = a + pairs.size;
      for (std::size_t n = 0; n < pairs.size; ++n) x.im[n * width + lane] = b[n];
    } else {
      for (std::size_t n = 0; n < pairs.size; ++n) x.im[n * width + lane] = 0;
    }
  }
}

// As put_half_spectra(), for many pairs: numbers of one frequency first, which are neighbours.
template <class T>
void put_turned_spectra(std::complex<T>* out, Split<const T> z, const Pairs<T>& pairs,
                        std::size_t first, std::size_t width) {
  thread_local std::vector<std::complex<T>> room;
  room.resize(2 * pairs.half * width);
  std::complex<T>*const a = room.data(), *const b = a + pairs.half * width;
  for (std::size_t k = 0; k < pairs.half; ++k) {
    const Split<const T> x = z + k * width, y = z + (k == 0 ? 0 : pairs.size - k) * width;
    T* const to_a = reinterpret_cast<T*>(a + k * width);
    T* const to_b = reinterpret_cast<T*>(b + k * width);
#pragma GCC ivdep
    for (std::size_t lane = 0; lane < width; ++lane) {
      const T half = T(0.5);
      to_a[2 * lane] = half * (x.re[lane] + y.re[lane]);
      to_a[2 * lane + 1] = half * (x.im[lane] - y.im[lane]);
      to_b[2 * lane] = half * (x.im[lane] + y.im[lane]);
      to_b[2 * lane + 1] = half * (y.re[lane] - x.re[lane]);
    }
  }
  std::complex<T>* const to = out + 2 * first * pairs.half;
  transpose_numbers(to, 2 * pairs.half, a, width, width, pairs.half);
  const std::size_t whole = whole_pairs(pairs, first, width);
  if (whole > 0) transpose_numbers(to + pairs.half, 2 * pairs.half, b, width, whole, pairs.half);
}

// The transform of a real sequence is its own mirror image, conjugated; that of an imaginary one is
// minus it.
template <class T>
void put_half_spectra(std::complex<T>* out, Split<const T> z, const Pairs<T>& pairs,
                      std::size_t first, std::size_t width) {
  if (width >= kMinTurned) return put_turned_spectra(out, z, pairs, first, width);
  for (std::size_t lane = 0; lane < width; ++lane) {
    const std::size_t row = 2 * (first + lane);
    std::complex<T>* a = out + row * pairs.half;
    std::complex<T>* b = row + 1 < pairs.rows ? a + pairs.half : nullptr;
    for (std::size_t k = 0; k < pairs.half; ++k) {
      const std::size_t i = k * width + lane, j = (k == 0 ? 0 : pairs.size - k) * width + lane;
      const T half = T(0.5);
      a[k] = {half * (z.re[i] + z.re[j]), half * (z.im[i] - z.im[j])};
      if (b != nullptr) b[k] = {half * (z.im[i] + z.im[j]), half * (z.re[j] - z.re[i])};
    }
  }
}

template <class T>
void take_half_spectra(Split<T> z, const std::complex<T>* in, const Pairs<T>& pairs,
                       std::size_t first, std::size_t width) {
  for (std::size_t lane = 0; lane < width; ++lane) {
    const std::size_t row = 2 * (first + lane);
    const std::complex<T>* a = in + row * pairs.half;
    const std::complex<T>* b = row + 1 < pairs.rows ? a + pairs.half : nullptr;
    for (std::size_t k = 0; k < pairs.half; ++k) {
      const std::size_t i = k * width + lane, mirror = k == 0 ? 0 : pairs.size - k;
      const std::complex<T> p = a[k], q = b != nullptr ? b[k] : std::complex<T>();
      if (mirror == k) {  // real, whatever stands there
        z.re[i] = p.real();
        z.im[i] = q.real();
        continue;
      }
      const std::size_t j = mirror * width + lane;
      z.re[i] = p.real() - q.imag();
      z.im[i] = p.imag() + q.real();
      z.re[j] = p.real() + q.imag();
      z.im[j] = q.real() - p.imag();
    }
  }
}

template <class T>
void put_pairs(T* out, Split<const T> x, const Pairs<T>& pairs, std::size_t first,
               std::size_t width) {
  const T scale = T(1) / static_cast<T>(pairs.size);
  for (std::size_t lane = 0; lane < width; ++lane) {
    const std::size_t row = 2 * (first + lane);
    T* a = out + row * pairs.size;
    for (std::size_t n = 0; n < pairs.size; ++n) a[n] = x.re[n * width + lane] * scale;
    if (row + 1 == pairs.rows) continue;
    T* b = a + pairs.size;
    for (std::size_t n = 0; n < pairs.size; ++n) b[n] = x.im[n * width + lane] * scale;
  }
}

// Calls body(room, first pair, width) for all pairs.
template <class T, class Body>
void for_each_pairs(const KernelCall& call, const FftPlan<T>& plan, const Pairs<T>& pairs,
                    Body body) {
  const std::size_t width = plan.is_quick_alone() ? 1 : std::min(pairs.count(), kLanes);
  call.parallel_for((pairs.count() + width - 1) / width,
                    cost_of(plan.size()) * static_cast<double>(width),
                    [&](std::size_t begin, std::size_t end) {
                      Room<T> room(plan, width);
                      for (std::size_t i = begin; i < end; ++i)
                        body(room, i * width, std::min(width, pairs.count() - i * width));
                    });
}

// The plan for half the length where rows of it have a quick way of their own.
template <class T>
std::shared_ptr<const FftPlan<T>> half_plan(std::int64_t size) {
  const auto half = static_cast<std::size_t>(size) / 2;
  return size % 2 == 0 && FftRow<T>::fits(half) ? FftPlan<T>::find(half) : nullptr;
}

template <class T>
Pairs<T> pairs_of(std::int64_t rows, std::int64_t size) {
  const auto n = static_cast<std::size_t>(size);
  return {static_cast<std::size_t>(rows), n, n / 2 + 1};
}

}  // namespace

template <class T>
void real_fft_rows(const KernelCall& call, std::complex<T>* out, const T* in, std::int64_t rows,
                   std::int64_t size) {
  if (rows == 0) return;
  const auto pairs = pairs_of<T>(rows, size);
  if (const auto half = half_plan<T>(size))
    return for_each_row(call, *half, pairs.rows, [&](std::size_t i, T* scratch) {
      half->row()->run_real(reinterpret_cast<T*>(out + i * pairs.half), in + i * pairs.size,
                            scratch);
    });
  const auto plan = FftPlan<T>::find(pairs.size);
  for_each_pairs(call, *plan, pairs, [&](Room<T>& room, std::size_t first, std::size_t width) {
    take_pairs(room.x, in, pairs, first, width);
    put_half_spectra(out, constant(transform(*plan, room, width)), pairs, first, width);
  });
}

template <class T>
void inverse_real_fft_rows(const KernelCall& call, T* out, const std::complex<T>* in,
                           std::int64_t rows, std::int64_t size) {
  if (rows == 0) return;
  const auto pairs = pairs_of<T>(rows, size);
  if (const auto half = half_plan<T>(size))
    return for_each_row(call, *half, pairs.rows, [&](std::size_t i, T* scratch) {
      half->row()->run_real_inverse(out + i * pairs.size,
                                    reinterpret_cast<const T*>(in + i * pairs.half), scratch);
    });
  const auto plan = FftPlan<T>::find(pairs.size);
  for_each_pairs(call, *plan, pairs, [&](Room<T>& room, std::size_t first, std::size_t width) {
    take_half_spectra(exchanged(room.x, true), in, pairs, first, width);
    put_pairs(out, constant(exchanged(transform(*plan, room, width), true)), pairs, first, width);
  });
}

template void real_fft_rows(const KernelCall&, std::complex<float>*, const float*, std::int64_t,
                            std::int64_t);
template void real_fft_rows(const KernelCall&, std::complex<double>*, const double*, std::int64_t,
                            std::int64_t);
template void inverse_real_fft_rows(const KernelCall&, float*, const std::complex<float>*,
                                    std::int64_t, std::int64_t);

}  // namespace rill
