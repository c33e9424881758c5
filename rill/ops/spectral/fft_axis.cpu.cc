#include "rill/ops/spectral/fft_axis.h"

#include <algorithm>

#include "rill/ops/array/slice/transpose_tiles.h"
#include "rill/ops/spectral/fft_room.h"

namespace rill {
namespace {

using namespace fft;

constexpr std::size_t kBytesTogether = 1 << 17;  // what columns that go together may take
constexpr std::size_t kShortColumns = 64;        // turned only where they fill blocks

// A few columns at a time become rows, which have a quick way of their own, and columns again.
template <class T>
void fft_turned_columns(const KernelCall& call, T* out, const T* in, std::size_t outer,
                        std::size_t inner, const FftPlan<T>& plan, bool is_inverse) {
  const std::size_t size = plan.size(), width = std::min(inner, kLanes);
  const std::size_t blocks = (inner + width - 1) / width;
  const std::size_t stride = size + 8;  // not a power of two: rows would compete for the cache
  constexpr std::size_t kElement = 2 * sizeof(T);
  const auto signed_of = [](std::size_t n) { return static_cast<std::int64_t>(n); };
  call.parallel_for(
      outer * blocks, cost_of(size) / 2 * static_cast<double>(width),
      [&](std::size_t begin, std::size_t end) {
        std::vector<T> room(2 * stride * width + plan.row_scratch_size());
        T *const rows = room.data(), *const scratch = rows + 2 * stride * width;
        for (std::size_t i = begin; i < end; ++i) {
          const std::size_t first = i % blocks * width, count = std::min(width, inner - first);
          const std::size_t at = 2 * (i / blocks * size * inner + first);
          transpose_tiles(kElement, {.dst = rows,
                                     .src = in + at,
                                     .dst_stride = signed_of(stride),
                                     .src_stride = signed_of(inner),
                                     .rows = signed_of(count),
                                     .columns = signed_of(size)});
          for (std::size_t k = 0; k < count; ++k)
            plan.run_row(rows + 2 * k * stride, rows + 2 * k * stride, scratch, is_inverse);
          transpose_tiles(kElement, {.dst = out + at,
                                     .src = rows,
                                     .dst_stride = signed_of(inner),
                                     .src_stride = signed_of(stride),
                                     .rows = signed_of(size),
                                     .columns = signed_of(count)});
        }
      });
}

template <class T>
void fft_columns(const KernelCall& call, T* out, const T* in, std::size_t outer, std::size_t inner,
                 const FftPlan<T>& plan, bool is_inverse) {
  if (plan.has_row() && (plan.size() > kShortColumns || inner % kLanes == 0))
    return fft_turned_columns(call, out, in, outer, inner, plan, is_inverse);
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

// Complex numbers [columns][rows] become [rows][columns].
template <class T>
void transpose_complex(T* to, const T* from, std::size_t rows, std::size_t columns) {
  transpose_tiles(2 * sizeof(T), {.dst = to,
                                  .src = from,
                                  .dst_stride = static_cast<std::int64_t>(columns),
                                  .src_stride = static_cast<std::int64_t>(rows),
                                  .rows = static_cast<std::int64_t>(rows),
                                  .columns = static_cast<std::int64_t>(columns)});
}

template <class T>
void fft_rows(const KernelCall& call, T* out, const T* in, std::size_t rows, const FftPlan<T>& plan,
              bool is_inverse) {
  const std::size_t size = plan.size();
  if (plan.has_row())
    return for_each_row(call, plan, rows, [&](std::size_t i, T* scratch) {
      plan.run_row(out + 2 * i * size, in + 2 * i * size, scratch, is_inverse);
    });
  const FftPasses<T>& passes = fft_passes<T>();
  const std::size_t width = plan.is_quick_alone() ? 1 : std::min(rows, kLanes);
  const T scale = is_inverse ? T(1) / static_cast<T>(size) : T(1);
  call.parallel_for(
      (rows + width - 1) / width, cost_of(size) * static_cast<double>(width),
      [&](std::size_t begin, std::size_t end) {
        Room<T> room(plan, width);
        std::vector<T> turned(width == 1 ? 0 : 2 * width * size);
        const Split<T> x = exchanged(room.x, is_inverse);
        for (std::size_t i = begin; i < end; ++i) {
          const std::size_t count = std::min(width, rows - i * width), at = 2 * i * width * size;
          if (count > 1) transpose_complex(turned.data(), in + at, size, count);
          passes.split(x, count > 1 ? turned.data() : in + at, size * count);
          const Split<const T> y = constant(exchanged(transform(plan, room, count), is_inverse));
          passes.interleave(count > 1 ? turned.data() : out + at, y, size * count, scale);
          if (count > 1) transpose_complex(out + at, turned.data(), count, size);
        }
      });
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

template void fft_axis(const KernelCall&, std::complex<float>*, const std::complex<float>*,
                       std::int64_t, std::int64_t, std::int64_t, bool);
template void fft_axis(const KernelCall&, std::complex<double>*, const std::complex<double>*,
                       std::int64_t, std::int64_t, std::int64_t, bool);

}  // namespace rill
