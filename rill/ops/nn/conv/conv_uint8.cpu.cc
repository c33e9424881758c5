#include "rill/ops/nn/conv/conv_uint8.h"

#include "rill/ops/nn/conv/conv_tiled.h"
#include "rill/ops/onednn/gemm_int8.h"

namespace rill {
namespace {

Tensor new_tensor(const KernelCall& call, DType dtype, std::int64_t rows, std::int64_t columns) {
  return Tensor(dtype, {rows, columns}, call.device().allocator(MemoryKind::host));
}

// Calls body(i) for each of [0, count) on several threads.
template <class Body>
void for_each(const KernelCall& call, std::int64_t count, double nanos, Body body) {
  call.parallel_for(
      static_cast<std::size_t>(count), nanos, [&](std::size_t begin, std::size_t end) {
        for (auto i = static_cast<std::int64_t>(begin); i < static_cast<std::int64_t>(end); ++i)
          body(i);
      });
}

// The sum of what each window sees, where padding is `zero`; columns are not dilated.
Tensor window_sums(const KernelCall& call, const ConvProblem& p, const std::uint8_t* images,
                   std::uint8_t zero) {
  const WindowDim &rows = p.dims[0], &columns = p.dims[1];
  const std::int64_t channels = p.in_channels, width = columns.in + 1;
  // Of each row of an image, the sums of its first pixels.
  const Tensor firsts = new_tensor(call, DType::u32, p.batch * rows.in, width);
  auto* const sums = firsts.data<std::uint32_t>();
  const double nanos = 0.1 * static_cast<double>(columns.in * channels);
  for_each(call, p.batch * rows.in, nanos, [&](std::int64_t i) {
    const std::uint8_t* x = images + i * columns.in * channels;
    std::uint32_t* const out = sums + i * width;
    out[0] = 0;
    for (std::int64_t c = 0; c < columns.in; ++c, x += channels) {
      std::uint32_t sum = 0;
      for (std::int64_t k = 0; k < channels; ++k) sum += x[k];
      out[c + 1] = out[c] + sum;
    }
  });
  const std::int64_t positions = p.batch * p.positions();
  const Tensor by_window = new_tensor(call, DType::u32, positions, 1);
  for_each(call, positions, static_cast<double>(2 * rows.size), [&](std::int64_t i) {
    const std::int64_t x = i % columns.out, y = i / columns.out % rows.out, n = i / p.positions();
    const std::int64_t first = columns.first_tap(x), end = std::max(first, columns.end_tap(x));
    std::uint32_t sum = 0;
    std::int64_t inside = 0;
    for (std::int64_t h = rows.first_tap(y); h < rows.end_tap(y); ++h, inside += end - first) {
      const std::uint32_t* const row =
          sums + (n * rows.in + rows.start(y) + h * rows.dilation) * width + columns.start(x);
      if (end > first) sum += row[end] - row[first];
    }
    const std::int64_t outside = (p.taps() - inside) * channels * zero;
    by_window.data<std::uint32_t>()[i] = sum + static_cast<std::uint32_t>(outside);
  });
  return by_window;
}

// What the sums of bytes lack for each channel, but for the filter's zero times what the window
// sees: (a - p)(b - q) = ab - qa - pb + pq.
std::vector<std::uint32_t> constant_parts(const std::uint8_t* filter, std::int64_t rows,
                                          std::int64_t columns, std::uint32_t p, std::uint32_t q) {
  std::vector<std::uint32_t> parts(static_cast<std::size_t>(columns),
                                   static_cast<std::uint32_t>(rows) * p * q);
  for (std::int64_t r = 0; r < rows; ++r)
    for (auto& part : parts) part -= p * *filter++;
  return parts;
}

void convolve_in_tiles(const KernelCall& call, const ConvProblem& problem,
                       const std::uint8_t* images, std::uint8_t image_zero,
                       const std::uint8_t* filter, std::int32_t filter_zero,
                       std::uint32_t* results) {
  const auto q = static_cast<std::uint32_t>(filter_zero);
  const auto constants =
      constant_parts(filter, problem.patch_size(), problem.out_channels, image_zero, q);
  const Tensor seen = window_sums(call, problem, images, image_zero);
  conv_tiled(
      call, problem, TileSource::kByte, images,
      packed_tile_filter(call, problem, TileSource::kByte, filter), results,
      [&](void* at, std::int64_t row, std::int64_t begin, std::int64_t end) {
        auto* const sums = static_cast<std::uint32_t*>(at);
        const std::uint32_t less = q * seen.data<std::uint32_t>()[row];
        const std::uint32_t* const more = constants.data() + begin;
        for (std::int64_t i = 0; i < end - begin; ++i) sums[i] += more[i] - less;
      },
      image_zero);
}

// The problem over images that have their padding around them.
ConvProblem with_padding(const ConvProblem& p) {
  ConvProblem padded = p;
  for (WindowDim& d : padded.dims) {
    d.in = (d.out - 1) * d.stride + d.reach();
    d.before = 0;
  }
  return padded;
}

Tensor padded_images(const KernelCall& call, const ConvProblem& p, const ConvProblem& padded,
                     const std::uint8_t* images, std::uint8_t zero) {
  const WindowDim &rows = p.dims[0], &columns = p.dims[1];
  const std::int64_t size = padded.image_size(), row = padded.dims[1].in * p.in_channels;
  const Tensor result = new_tensor(call, DType::u8, p.batch, size);
  std::fill_n(result.data<std::uint8_t>(), result.element_count(), zero);
  const std::int64_t high = std::min(rows.in, padded.dims[0].in - rows.before),
                     wide = std::min(columns.in, padded.dims[1].in - columns.before);
  for (std::int64_t i = 0; i < p.batch * std::max<std::int64_t>(0, high) && wide > 0; ++i) {
    const std::int64_t n = i / high, y = i % high;
    std::copy_n(images + n * p.image_size() + y * columns.in * p.in_channels, wide * p.in_channels,
                result.data<std::uint8_t>() + n * size + (y + rows.before) * row +
                    columns.before * p.in_channels);
  }
  return result;
}

// Through oneDNN, whose second factor is signed: patches are gathered.
void conv_im2col(const KernelCall& call, const ConvProblem& problem, const std::uint8_t* images,
                 std::uint8_t image_zero, const std::uint8_t* filter, std::int32_t filter_zero,
                 std::uint32_t* results) {
  constexpr std::int64_t kTileElements = 64 << 10;  // they stay in the second-level cache
  const ConvProblem padded = with_padding(problem);
  const Tensor wide = padded_images(call, problem, padded, images, image_zero);
  const std::int64_t depth = problem.patch_size(), columns = problem.out_channels;
  const Tensor weights = new_tensor(call, DType::i8, depth, columns);
  auto* const shifted = weights.data<std::int8_t>();
  for (std::int64_t i = 0; i < depth * columns; ++i)
    shifted[i] = static_cast<std::int8_t>(filter[i] - 128);
  const Patches<std::uint8_t> patches(padded);
  const std::int64_t per_image = problem.positions(), positions = problem.batch * per_image;
  const std::int64_t together = std::clamp<std::int64_t>(kTileElements / depth, 16, 1024);
  const std::int64_t tiles = (positions + together - 1) / together;
  const double nanos = 0.01 * static_cast<double>(together) * static_cast<double>(depth * columns);
  call.parallel_for(
      static_cast<std::size_t>(tiles), nanos, [&](std::size_t begin, std::size_t end) {
        const Tensor rows = new_tensor(call, DType::u8, together, depth);
        for (auto t = static_cast<std::int64_t>(begin); t < static_cast<std::int64_t>(end); ++t) {
          const std::int64_t first = t * together, last = std::min(positions, first + together);
          for (std::int64_t r = first; r < last; ++r)
            patches.take(wide.data<std::uint8_t>() + r / per_image * padded.image_size(),
                         r % per_image, rows.data<std::uint8_t>() + (r - first) * depth);
          run_byte_gemm({last - first, columns, depth, rows.data<std::uint8_t>(), image_zero,
                         shifted, static_cast<std::int8_t>(filter_zero - 128),
                         reinterpret_cast<std::int32_t*>(results) + first * columns});
        }
      });
}

bool is_byte(std::int32_t zero) { return zero >= 0 && zero <= 255; }

}  // namespace

void conv_uint8(const KernelCall& call, const ConvProblem& problem, const std::uint8_t* images,
                std::int32_t image_zero, const std::uint8_t* filter, std::int32_t filter_zero,
                std::uint32_t* results) {
  constexpr std::int64_t kMaxDepth = 32 << 10;  // sums of so many products fit 32 bits
  if (problem.batch * problem.positions() * problem.out_channels == 0) return;
  const auto zero = static_cast<std::uint8_t>(image_zero);
  const bool fits = problem.patch_size() > 0 && problem.patch_size() <= kMaxDepth;
  if (is_byte(image_zero) && tiles_convolve(problem, TileSource::kByte))
    convolve_in_tiles(call, problem, images, zero, filter, filter_zero, results);
  else if (is_byte(image_zero) && is_byte(filter_zero) && fits && has_exact_byte_gemm())
    conv_im2col(call, problem, images, zero, filter, filter_zero, results);
  else
    conv_uint8_plain(call, problem, images, image_zero, filter, filter_zero, results);
}

}  // namespace rill
