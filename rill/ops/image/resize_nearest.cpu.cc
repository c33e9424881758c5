#include <algorithm>
#include <cstring>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/image/pixel_types.h"
#include "rill/ops/image/sampling.h"
#include "rill/ops/math/rows/numeric.h"
#include "rill/tensor/narrow_float.h"

namespace rill {

extern const OpDecl kResizeNearestNeighbor, kResizeNearestNeighborGrad;

namespace {

// The nearest source of every result, times `step`.
std::vector<std::int64_t> nearest_sources(const SamplingRule& rule, std::int64_t in,
                                          std::int64_t out, std::int64_t step) {
  const Sampling sampling = rule.along(in, out);
  std::vector<std::int64_t> sources(static_cast<std::size_t>(out));
  for (std::int64_t i = 0; i < out; ++i)
    sources[static_cast<std::size_t>(i)] = nearest(sampling, rule.align_corners, i) * step;
  return sources;
}

// Pixels of a size that is known here are copied without a call.
template <std::size_t kBytes>
void copy_pixels(char* out, const char* row, std::span<const std::int64_t> columns) {
  for (const std::int64_t column : columns) {
    std::memcpy(out, row + column, kBytes);
    out += kBytes;
  }
}

void copy_row(char* out, const char* row, std::span<const std::int64_t> columns,
              std::size_t bytes) {
  switch (bytes) {
    case 1:
      return copy_pixels<1>(out, row, columns);
    case 2:
      return copy_pixels<2>(out, row, columns);
    case 3:
      return copy_pixels<3>(out, row, columns);
    case 4:
      return copy_pixels<4>(out, row, columns);
    case 8:
      return copy_pixels<8>(out, row, columns);
    case 12:
      return copy_pixels<12>(out, row, columns);
    case 16:
      return copy_pixels<16>(out, row, columns);
    default:
      for (const std::int64_t column : columns) {
        std::memcpy(out, row + column, bytes);
        out += bytes;
      }
  }
}

void resize_nearest(KernelCall& call) {
  const SamplingRule rule(call.node());
  const Tensor &images = call.input_tensor(0), &results = call.output_tensor(0);
  if (results.element_count() == 0) return;
  const auto pixel = images.dim(3) * static_cast<std::int64_t>(element_size(images.dtype()));
  const std::int64_t height = results.dim(1), in_row = images.dim(2) * pixel,
                     out_row = results.dim(2) * pixel;
  const auto rows = nearest_sources(rule, images.dim(1), height, in_row),
             columns = nearest_sources(rule, images.dim(2), results.dim(2), pixel);
  const auto* source = static_cast<const char*>(images.raw_data());
  auto* out = static_cast<char*>(results.raw_data());
  call.parallel_for(
      static_cast<std::size_t>(results.dim(0) * height), 0.2 * static_cast<double>(out_row),
      [&](std::size_t begin, std::size_t end) {
        for (auto i = static_cast<std::int64_t>(begin); i < static_cast<std::int64_t>(end); ++i) {
          const char* image = source + i / height * images.dim(1) * in_row;
          copy_row(out + i * out_row, image + rows[static_cast<std::size_t>(i % height)], columns,
                   static_cast<std::size_t>(pixel));
        }
      });
}

// One row of results: the sum of `count` rows of gradients, whose pixels go where `columns` say.
template <class T>
void add_rows(T* out, std::int64_t size, const T* grads, std::int64_t count,
              std::span<const std::int64_t> columns, std::int64_t channels) {
  constexpr bool kIsSum = std::is_same_v<T, Widened<T>>;
  thread_local std::vector<Widened<T>> wide;
  Widened<T>* sums;
  if constexpr (kIsSum) {
    sums = out;
  } else {
    wide.resize(static_cast<std::size_t>(size));
    sums = wide.data();
  }
  std::fill_n(sums, size, Widened<T>(0));
  for (std::int64_t row = 0; row < count; ++row)
    for (const std::int64_t column : columns) {
      Widened<T>* to = sums + column;
#pragma GCC ivdep
      for (std::int64_t c = 0; c < channels; ++c)
        to[c] = wrapping_add(to[c], static_cast<Widened<T>>(grads[c]));
      grads += channels;
    }
  if constexpr (!kIsSum)
    for (std::int64_t i = 0; i < size; ++i) out[i] = static_cast<T>(sums[i]);
}

void resize_nearest_grad(KernelCall& call) {
  const SamplingRule rule(call.node());
  const Tensor &grads = call.input_tensor(0), &results = call.output_tensor(0);
  if (results.element_count() == 0) return;
  const std::int64_t channels = grads.dim(3), height = results.dim(1);
  const auto rows = nearest_sources(rule, height, grads.dim(1), 1),  // in ascending order
      columns = nearest_sources(rule, results.dim(2), grads.dim(2), channels);
  const std::int64_t size = results.dim(2) * channels, grad_row = grads.dim(2) * channels;
  const double cost = 0.3 * static_cast<double>(size + grad_row * grads.dim(1) / height);
  visit_pixel(grads.dtype(), [&]<class T>() {
    call.parallel_for(
        static_cast<std::size_t>(results.dim(0) * height), cost,
        [&](std::size_t begin, std::size_t end) {
          for (auto i = static_cast<std::int64_t>(begin); i < static_cast<std::int64_t>(end); ++i) {
            const auto [first, last] = std::ranges::equal_range(rows, i % height);
            const std::int64_t row = i / height * grads.dim(1) + (first - rows.begin());
            add_rows(results.data<T>() + i * size, size, grads.data<T>() + row * grad_row,
                     last - first, columns, channels);
          }
        });
  });
}

constexpr KernelEntry kEntries[] = {
    {.op = &kResizeNearestNeighbor, .types = kPixelTypes, .run = resize_nearest},
    {.op = &kResizeNearestNeighborGrad, .types = kPixelTypes, .run = resize_nearest_grad},
};

}  // namespace

extern const KernelTable kResizeNearestCpu{kEntries};

}  // namespace rill
