#include "rill/ops/nn/convolve_bytes.h"

#include "rill/ops/nn/convolve_tiled.h"
#include "rill/ops/onednn/gemm_int8.h"

namespace rill {
namespace {

Tensor new_tensor(const KernelCall& call, DType dtype, std::int64_t rows, std::int64_t columns) {
  return Tensor(dtype, {rows, columns}, call.device().allocator(MemoryKind::host));
}

// A filter with one more channel, whose weights are one: its results are sums of what windows see.
Tensor with_ones(const KernelCall& call, const std::uint8_t* filter, std::int64_t rows,
                 std::int64_t columns) {
  const Tensor more = new_tensor(call, DType::u8, rows, columns + 1);
  auto* out = more.data<std::uint8_t>();
  for (std::int64_t r = 0; r < rows; ++r, filter += columns) {
    out = std::copy_n(filter, columns, out);
    *out++ = 1;
  }
  return more;
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
  const std::int64_t depth = problem.patch_size(), columns = problem.out_channels;
  ConvProblem more = problem;
  ++more.out_channels;
  const Tensor weights = with_ones(call, filter, depth, columns);
  const std::int64_t positions = problem.batch * problem.positions();
  const Tensor sums = new_tensor(call, DType::i32, positions, columns + 1);
  convolve_tiled(
      call, more, TileSource::kByte, images,
      packed_tile_filter(call, more, TileSource::kByte, weights.raw_data()), sums.raw_data(),
      [](void*, std::int64_t, std::int64_t, std::int64_t) {}, image_zero);
  const auto q = static_cast<std::uint32_t>(filter_zero);
  const auto constants = constant_parts(filter, depth, columns, image_zero, q);
  const double nanos = 0.2 * static_cast<double>(columns);
  call.parallel_for(
      static_cast<std::size_t>(positions), nanos, [&](std::size_t begin, std::size_t end) {
        for (auto r = static_cast<std::int64_t>(begin); r < static_cast<std::int64_t>(end); ++r) {
          const auto* sum = static_cast<const std::uint32_t*>(sums.raw_data()) + r * (columns + 1);
          const std::uint32_t seen = q * sum[columns];
          std::uint32_t* const out = results + r * columns;
          for (std::int64_t c = 0; c < columns; ++c)
            out[c] = sum[c] - seen + constants[static_cast<std::size_t>(c)];
        }
      });
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
void convolve_gathered(const KernelCall& call, const ConvProblem& problem,
                       const std::uint8_t* images, std::uint8_t image_zero,
                       const std::uint8_t* filter, std::int32_t filter_zero,
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

bool convolve_bytes(const KernelCall& call, const ConvProblem& problem, const std::uint8_t* images,
                    std::int32_t image_zero, const std::uint8_t* filter, std::int32_t filter_zero,
                    std::uint32_t* results) {
  constexpr std::int64_t kMostDepth = 32 << 10;  // sums of so many products fit 32 bits
  if (!is_byte(image_zero)) return false;
  const auto zero = static_cast<std::uint8_t>(image_zero);
  if (tiles_convolve(problem, TileSource::kByte)) {
    convolve_in_tiles(call, problem, images, zero, filter, filter_zero, results);
    return true;
  }
  const bool fits = problem.patch_size() > 0 && problem.patch_size() <= kMostDepth;
  if (!has_exact_byte_gemm() || !is_byte(filter_zero) || !fits) return false;
  convolve_gathered(call, problem, images, zero, filter, filter_zero, results);
  return true;
}

}  // namespace rill
