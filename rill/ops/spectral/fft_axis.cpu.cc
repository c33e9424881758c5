#include "rill/ops/spectral/fft_axis.h"

#include <algorithm>
#include <bit>

#include "rill/ops/spectral/fft_plan.h"

namespace rill {
namespace {

constexpr std::size_t kLanes = 16;               // transforms side by side
constexpr std::size_t kBytesTogether = 1 << 17;  // what columns that go together may take

// Room for transforms of `width` sequences side by side.
template <class T>
struct Room {
  Room(const FftPlan<T>& plan, std::size_t width)
      : storage(2 * (plan.size() * width + plan.scratch_size(width))) {
    T* at = storage.data();
    x = {at, at + plan.size() * width};
    at += 2 * plan.size() * width;
    scratch = {at, at + plan.scratch_size(width)};
  }
  std::vector<T> storage;
  Split<T> x, scratch;
};

template <class T>
Split<T> exchanged(Split<T> x, bool are) {
  return are ? Split<T>{x.im, x.re} : x;
}
template <class T>
Split<const T> constant(Split<T> x) {
  return {x.re, x.im};
}

// Nanoseconds that a transform takes, roughly.
double cost_of(std::size_t size) {
  return 1.0 * static_cast<double>(size) * (3.0 + static_cast<double>(std::bit_width(size)));
}

// One transform of `width` sequences that lie in x.
template <class T>
Split<T> transform(const FftPlan<T>& plan, const Room<T>& room, std::size_t width) {
  return width == 1 ? plan.run_alone(room.x, room.scratch) : plan.run(room.x, room.scratch, width);
}

template <class T>
void fft_columns(const KernelCall& call, T* out, const T* in, std::size_t outer, std::size_t inner,
                 const FftPlan<T>& plan, bool is_inverse) {
  const FftPasses<T>& passes = fft_passes<T>();
  const std::size_t size = plan.size();
  const std::size_t wanted = std::max(kLanes, kBytesTogether / (4 * sizeof(T) * size));
  const std::size_t width = std::min(inner, wanted), blocks = (inner + width - 1) / width;
  const T scale = is_inverse ? T(1) / static_cast<T>(size) : T(1);
  call.parallel_for(
      outer * blocks, cost_of(size) * static_cast<double>(width),
      [&](std::size_t begin, std::size_t end) {
        Room<T> room(plan, width);
        for (std::size_t i = begin; i < end; ++i) {
          const std::size_t first = i % blocks * width, count = std::min(width, inner - first);
          const std::size_t at = 2 * (i / blocks * size * inner + first);
          const Split<T> x = exchanged(room.x, is_inverse);
          for (std::size_t row = 0; row < size; ++row)
            passes.split(x + row * count, in + at + 2 * row * inner, count);
          const Split<T> y = exchanged(plan.run(room.x, room.scratch, count), is_inverse);
          for (std::size_t row = 0; row < size; ++row)
            passes.interleave(out + at + 2 * row * inner, constant(y + row * count), count, scale);
        }
      });
}

template <class T>
void fft_rows(const KernelCall& call, T* out, const T* in, std::size_t rows, const FftPlan<T>& plan,
              bool is_inverse) {
  const FftPasses<T>& passes = fft_passes<T>();
  const std::size_t size = plan.size();
  const std::size_t width = plan.is_quick_alone() ? 1 : std::min(rows, kLanes);
  const T scale = is_inverse ? T(1) / static_cast<T>(size) : T(1);
  call.parallel_for(
      (rows + width - 1) / width, cost_of(size) * static_cast<double>(width),
      [&](std::size_t begin, std::size_t end) {
        Room<T> room(plan, width);
        const Split<T> x = exchanged(room.x, is_inverse);
        for (std::size_t i = begin; i < end; ++i) {
          const std::size_t count = std::min(width, rows - i * width), at = 2 * i * width * size;
          if (count == 1)
            passes.split(x, in + at, size);
          else
            passes.split_transposed(x, count, in + at, size, count, size);
          const Split<const T> y = constant(exchanged(transform(plan, room, count), is_inverse));
          if (count == 1)
            passes.interleave(out + at, y, size, scale);
          else
            passes.interleave_transposed(out + at, size, y, count, size, count, scale);
        }
      });
}

// Rows 2 i and 2 i + 1 are the real and the imaginary part of sequence i; a missing last row is 0.
template <class T>
struct Pairs {
  std::size_t rows, size, half;  // half: numbers of a result
  std::size_t count() const { return (rows + 1) / 2; }
};

template <class T>
void take_pairs(Split<T> x, const T* in, const Pairs<T>& pairs, std::size_t first,
                std::size_t width) {
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

// The transform of a real sequence is its own mirror image, conjugated; that of an imaginary one is
// minus it.
template <class T>
void put_half_spectra(std::complex<T>* out, Split<const T> z, const Pairs<T>& pairs,
                      std::size_t first, std::size_t width) {
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

template <class T>
Pairs<T> pairs_of(std::int64_t rows, std::int64_t size) {
  const auto n = static_cast<std::size_t>(size);
  return {static_cast<std::size_t>(rows), n, n / 2 + 1};
}

}  // namespace

template <class T>
void fft_axis(const KernelCall& call, std::complex<T>* out, const std::complex<T>* in,
              std::int64_t outer, std::int64_t size, std::int64_t inner, bool is_inverse) {
  if (outer == 0 || inner == 0) return;
  const auto plan = FftPlan<T>::find(static_cast<std::size_t>(size));
  auto* to = reinterpret_cast<T*>(out);
  const auto* from = reinterpret_cast<const T*>(in);
  const auto sequences = static_cast<std::size_t>(outer);
  if (inner == 1) return fft_rows(call, to, from, sequences, *plan, is_inverse);
  fft_columns(call, to, from, sequences, static_cast<std::size_t>(inner), *plan, is_inverse);
}

template <class T>
void real_fft_rows(const KernelCall& call, std::complex<T>* out, const T* in, std::int64_t rows,
                   std::int64_t size) {
  if (rows == 0) return;
  const auto plan = FftPlan<T>::find(static_cast<std::size_t>(size));
  const auto pairs = pairs_of<T>(rows, size);
  for_each_pairs(call, *plan, pairs, [&](Room<T>& room, std::size_t first, std::size_t width) {
    take_pairs(room.x, in, pairs, first, width);
    put_half_spectra(out, constant(transform(*plan, room, width)), pairs, first, width);
  });
}

template <class T>
void inverse_real_fft_rows(const KernelCall& call, T* out, const std::complex<T>* in,
                           std::int64_t rows, std::int64_t size) {
  if (rows == 0) return;
  const auto plan = FftPlan<T>::find(static_cast<std::size_t>(size));
  const auto pairs = pairs_of<T>(rows, size);
  for_each_pairs(call, *plan, pairs, [&](Room<T>& room, std::size_t first, std::size_t width) {
    take_half_spectra(exchanged(room.x, true), in, pairs, first, width);
    put_pairs(out, constant(exchanged(transform(*plan, room, width), true)), pairs, first, width);
  });
}

template void fft_axis(const KernelCall&, std::complex<float>*, const std::complex<float>*,
                       std::int64_t, std::int64_t, std::int64_t, bool);
template void fft_axis(const KernelCall&, std::complex<double>*, const std::complex<double>*,
                       std::int64_t, std::int64_t, std::int64_t, bool);
template void real_fft_rows(const KernelCall&, std::complex<float>*, const float*, std::int64_t,
                            std::int64_t);
template void real_fft_rows(const KernelCall&, std::complex<double>*, const double*, std::int64_t,
                            std::int64_t);
template void inverse_real_fft_rows(const KernelCall&, float*, const std::complex<float>*,
                                    std::int64_t, std::int64_t);

}  // namespace rill
