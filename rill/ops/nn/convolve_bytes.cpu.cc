#include "rill/ops/nn/convolve_bytes.h"

#include "rill/ops/nn/convolve_tiled.h"

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

}  // namespace

bool convolve_bytes(const KernelCall& call, const ConvProblem& problem, const std::uint8_t* images,
                    std::int32_t image_zero, const std::uint8_t* filter, std::int32_t filter_zero,
                    std::uint32_t* results) {
  if (!tiles_convolve(problem, TileSource::kByte) || image_zero < 0 || image_zero > 255)
    return false;
  const std::int64_t depth = problem.patch_size(), columns = problem.out_channels;
  ConvProblem more = problem;
  ++more.out_channels;
  const Tensor weights = with_ones(call, filter, depth, columns);
  const std::int64_t positions = problem.batch * problem.positions();
  const Tensor sums = new_tensor(call, DType::i32, positions, columns + 1);
  convolve_tiled(
      call, more, TileSource::kByte, images,
      packed_tile_filter(call, more, TileSource::kByte, weights.raw_data()), sums.raw_data(),
      [](void*, std::int64_t, std::int64_t, std::int64_t) {},
      static_cast<std::uint8_t>(image_zero));
  const auto q = static_cast<std::uint32_t>(filter_zero);
  const auto constants =
      constant_parts(filter, depth, columns, static_cast<std::uint32_t>(image_zero), q);
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
  return true;
}

}  // namespace rill
