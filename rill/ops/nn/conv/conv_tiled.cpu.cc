#include "rill/ops/nn/conv/conv_tiled.h"

#include <atomic>
#include <cstring>

#include "rill/base/tile_permission.h"
#include "rill/kernel/fast_paths.h"
#include "rill/ops/nn/conv/tile_band.h"

namespace rill {
namespace {

constexpr double kMinTiledFlops = 200'000;  // below: oneDNN's floats are as fast
constexpr std::int64_t kMinTiledChannels = 16;
constexpr std::int64_t kBandBytes = 512 << 10;   // of images: they stay in the second-level cache
constexpr std::int64_t kMinBandPositions = 128;  // of a band
constexpr double kTaskFlops = 30e6, kMaxTasks = 16, kFlopsPerNano = 600;

// How a problem is cut, by its shape alone.
struct Cuts {
  Cuts(const Band& band, const ConvProblem& p, std::int64_t panels) {
    const double wanted = std::clamp(p.flops() / kTaskFlops, 1.0, kMaxTasks);
    const std::int64_t out = p.dims[0].out;
    const auto apart = static_cast<std::int64_t>(wanted / static_cast<double>(p.batch));
    // Bands are not thin: some rows of the image are read by both neighbours, and each band reads
    // the filter.
    const std::int64_t most = std::max<std::int64_t>(
        1, std::min(out / p.dims[0].size, p.positions() / kMinBandPositions));
    const std::int64_t row = band.width * band.pixel * p.dims[0].stride;
    rows = std::clamp<std::int64_t>(kBandBytes / row, 1, out);
    rows = std::min(rows, parts_of(out, std::clamp<std::int64_t>(apart, 1, most)));
    bands = parts_of(out, rows);
    // Small images share a task, so that the filter is read less often.
    const std::int64_t fit = kBandBytes / std::max<std::int64_t>(1, band.image_bytes(rows));
    together = bands > 1 ? 1 : std::clamp<std::int64_t>(fit, 1, p.batch);
    if (together > 1) together = parts_of(p.batch, parts_of(p.batch, together));
    const std::int64_t parts = parts_of(p.batch, together) * bands;
    const auto apart_now = static_cast<std::int64_t>(wanted / static_cast<double>(parts));
    slice = parts_of(panels, std::clamp<std::int64_t>(apart_now, 1, panels));
    slices = parts_of(panels, slice);
    tasks = parts * slices;
  }
  std::int64_t rows, bands, together, slice, slices, tasks;
};

// Copies `count` elements to the buffer as elements of tiles.
void take(TileSource source, const std::byte* from, std::int64_t count, std::byte* to) {
  if (source == TileSource::kFloat)
    narrow_for_tiles(reinterpret_cast<std::uint16_t*>(to), reinterpret_cast<const float*>(from),
                     count);
  else
    std::memcpy(to, from, static_cast<std::size_t>(count * source_bytes(source)));
}

void fill_band(const Band& band, TileSource source, const std::byte* image, std::int64_t first,
               std::int64_t rows, std::uint8_t pad, std::byte* buffer) {
  const ConvProblem& p = band.p;
  const WindowDim &down = p.dims[0], &across = p.dims[1];
  const std::int64_t row_bytes = band.width * band.pixel;
  const std::int64_t source_row = across.in * p.in_channels * source_bytes(source);
  const std::int64_t before = std::min(across.before, band.width);
  const std::int64_t inside = std::clamp<std::int64_t>(band.width - before, 0, across.in);
  const auto bytes = [&](std::int64_t pixels) {
    return static_cast<std::size_t>(pixels * band.pixel);
  };
  for (std::int64_t r = 0; r < band.buffer_rows(rows); ++r, buffer += row_bytes) {
    const std::int64_t y = first * down.stride - down.before + r;
    if (y < 0 || y >= down.in) {
      std::memset(buffer, pad, bytes(band.width));
      continue;
    }
    std::memset(buffer, pad, bytes(before));
    take(source, image + y * source_row, inside * p.in_channels, buffer + before * band.pixel);
    std::memset(buffer + (before + inside) * band.pixel, pad, bytes(band.width - before - inside));
  }
}

bool all_finite(const std::byte* buffer, std::int64_t bytes) {
  const auto* x = reinterpret_cast<const std::uint16_t*>(buffer);
  unsigned bad = 0;
  for (std::int64_t i = 0; i < bytes / 2; ++i) bad |= (x[i] & 0x7f80u) == 0x7f80u ? 1u : 0u;
  return bad == 0;
}

// A tile's results to their places.
void put_tile(const Band& band, const BandTile& tile, const std::byte* from, std::int64_t rows,
              std::int64_t columns, std::byte* results, std::int64_t row_bytes) {
  const std::int64_t out = band.p.dims[1].out;
  const auto bytes = static_cast<std::size_t>(columns) * 4;
  std::int64_t y = tile.y, x = tile.x;
  for (std::int64_t r = 0; r < kTileRows && y < rows; ++r, from += 2 * kTileRowBytes) {
    if (x < out) std::memcpy(results + (tile.position + y * out + x) * row_bytes, from, bytes);
    if (++x == band.virtual_width) {
      x = 0;
      ++y;
    }
  }
}

// Multiplies the tiles of a task with some panels of the filter.
class TileRun {
 public:
  TileRun(const Band& band, TileBlockFn run, const std::vector<std::ptrdiff_t>& steps,
          const TileMatrix& filter)
      : band_(band), run_(run), steps_(steps), filter_(filter), row_bytes_(filter.columns * 4) {}

  void panel(std::int64_t j, const std::vector<BandTile>& tiles, std::int64_t rows,
             const std::byte* buffer, std::byte* out) {
    const std::int64_t width = std::min(kPanelWidth, filter_.columns - j * kPanelWidth);
    out += j * kPanelWidth * 4;
    for (std::size_t t = 0; t < tiles.size(); t += 2) {
      const BandTile &upper = tiles[t], &lower = tiles[std::min(t + 1, tiles.size() - 1)];
      run_({buffer + upper.offset, buffer + lower.offset, band_.p.dims[1].stride * band_.pixel,
            steps_.data(), filter_.step_count, filter_.panel(j), target(upper, width, out, 0),
            target(lower, width, out, 1)});
      finish(upper, width, rows, out, 0);
      finish(lower, width, rows, out, 1);
    }
  }

 private:
  static bool is_direct(const BandTile& tile, std::int64_t width) {
    return tile.whole && width == kPanelWidth;
  }
  TileBlock::Target target(const BandTile& tile, std::int64_t width, std::byte* out, int which) {
    if (is_direct(tile, width))
      return {out + tile.first(band_.p.dims[1].out) * row_bytes_, row_bytes_};
    return {aside_ + which * 2 * kTileBytes, 2 * kTileRowBytes};
  }
  void finish(const BandTile& tile, std::int64_t width, std::int64_t rows, std::byte* out,
              int which) {
    if (!is_direct(tile, width))
      put_tile(band_, tile, aside_ + which * 2 * kTileBytes, rows, width, out, row_bytes_);
  }

  const Band& band_;
  TileBlockFn run_;
  const std::vector<std::ptrdiff_t>& steps_;
  const TileMatrix& filter_;
  std::int64_t row_bytes_;
  alignas(64) std::byte aside_[4 * kTileBytes];
};

// Whether single pixels are multiplied, some of which are left out.
bool skips_pixels(const ConvProblem& p) {
  return std::ranges::all_of(p.dims, [](const WindowDim& d) {
    return d.size == 1 && d.before == 0 && (d.out - 1) * d.stride < d.in;
  });
}

// The pixels that are not left out, as elements of tiles.
Tensor chosen_pixels(const KernelCall& call, const ConvProblem& p, TileSource source,
                     const void* images) {
  const std::int64_t channels = p.in_channels, rows = p.dims[0].out, columns = p.dims[1].out;
  const bool bytes = source == TileSource::kByte;
  const std::int64_t pixel = channels * (bytes ? 1 : 2),
                     from_pixel = channels * source_bytes(source);
  Tensor chosen(bytes ? DType::u8 : DType::bf16, {p.batch * rows * columns, channels},
                call.device().allocator(MemoryKind::host));
  auto* const to = static_cast<std::byte*>(chosen.raw_data());
  const auto* const from = static_cast<const std::byte*>(images);
  call.parallel_for(
      static_cast<std::size_t>(p.batch * rows), 0.2 * static_cast<double>(columns * channels),
      [&](std::size_t begin, std::size_t end) {
        for (auto r = static_cast<std::int64_t>(begin); r < static_cast<std::int64_t>(end); ++r) {
          const std::int64_t y = r / rows * p.dims[0].in + r % rows * p.dims[0].stride;
          for (std::int64_t x = 0; x < columns; ++x)
            take(source, from + (y * p.dims[1].in + x * p.dims[1].stride) * from_pixel, channels,
                 to + (r * columns + x) * pixel);
        }
      });
  return chosen;
}

// Steps of the depth that are not filled up cost as much as full ones.
bool fills_steps(const ConvProblem& p) {
  const std::int64_t run = p.dims[1].size * p.in_channels,
                     step = tile_depth(TileElement::kBfloat16);
  return 2 * run >= parts_of(run, step) * step;
}

}  // namespace

bool tiles_convolve(const ConvProblem& p, TileSource source) {
  return p.dims.size() == 2 && p.dims[1].dilation == 1 && p.out_channels >= kMinTiledChannels &&
         p.flops() >= kMinTiledFlops && (source == TileSource::kByte || fills_steps(p)) &&
         may_use_tiles() && takes(FastPath::kTiles);
}

TileMatrix packed_tile_filter(const KernelCall& call, const ConvProblem& p, TileSource source,
                              const void* filter) {
  return packed_for_tiles(call, {source, filter, p.out_channels, false}, p.patch_size(),
                          p.out_channels, p.dims[0].size);
}

bool conv_tiled(const KernelCall& call, const ConvProblem& p, TileSource source, const void* images,
                const TileMatrix& filter, void* results, TileRowDone done, std::uint8_t pad) {
  const std::int64_t columns = filter.columns;
  if (p.is_pointwise()) {
    multiply_tiles(call, p.batch * p.positions(), {source, images, p.in_channels, false}, filter,
                   results, done);
    return true;
  }
  if (skips_pixels(p)) {
    const Tensor chosen = chosen_pixels(call, p, source, images);
    multiply_tiles(call, p.batch * p.positions(),
                   {source == TileSource::kFloat ? TileSource::kBfloat16 : source,
                    chosen.raw_data(), p.in_channels, false},
                   filter, results, done);
    return true;
  }
  const TileElement kind = tile_element(source);
  const Band band(p, kTileRowBytes / tile_depth(kind));
  const Cuts cuts(band, p, filter.panel_count());
  const TileBlockFn run_block = find_tile_block(kind);
  const std::int64_t run_bytes = p.dims[1].size * band.pixel;
  const bool reads_neighbours = source != TileSource::kByte && run_bytes % kTileRowBytes != 0;
  std::vector<std::ptrdiff_t> steps;
  for (std::int64_t i = 0; i < p.dims[0].size; ++i)
    for (std::int64_t at = 0; at < run_bytes; at += kTileRowBytes)
      steps.push_back(i * p.dims[0].dilation * band.width * band.pixel + at);
  std::atomic<bool> spoiled = false;
  const auto convolve_task = [&](std::int64_t task, std::byte* buffer) {
    const std::int64_t slice = task % cuts.slices, part = task / cuts.slices;
    const std::int64_t image = part / cuts.bands * cuts.together,
                       count = std::min(cuts.together, p.batch - image);
    const std::int64_t first = part % cuts.bands * cuts.rows,
                       rows = std::min(cuts.rows, p.dims[0].out - first);
    const std::int64_t image_bytes = band.image_bytes(rows);
    for (std::int64_t n = 0; n < count; ++n)
      fill_band(band, source,
                static_cast<const std::byte*>(images) +
                    (image + n) * p.image_size() * source_bytes(source),
                first, rows, pad, buffer + n * image_bytes);
    std::memset(buffer + count * image_bytes, 0, static_cast<std::size_t>(band.slack()));
    if (reads_neighbours && !all_finite(buffer, count * image_bytes)) {
      spoiled = true;
      return;
    }
    const std::int64_t row = (image * p.dims[0].out + first) * p.dims[1].out;
    auto* const out = static_cast<std::byte*>(results) + row * columns * 4;
    const std::int64_t begin = slice * cuts.slice,
                       end = std::min(filter.panel_count(), begin + cuts.slice);
    const std::vector<BandTile> tiles = tiles_of(band, count, rows);
    TileRun run(band, run_block, steps, filter);
    {
      const TilesInUse in_use;
      for (std::int64_t j = begin; j < end; ++j) run.panel(j, tiles, rows, buffer, out);
    }
    for (std::int64_t r = 0; r < count * rows * p.dims[1].out; ++r)
      done(out + (r * columns + begin * kPanelWidth) * 4, row + r, begin * kPanelWidth,
           std::min(columns, end * kPanelWidth));
  };
  const double nanos = p.flops() / kFlopsPerNano / static_cast<double>(cuts.tasks);
  call.parallel_for(
      static_cast<std::size_t>(cuts.tasks), nanos, [&](std::size_t begin, std::size_t end) {
        const Tensor buffer(DType::u8, {cuts.together * band.image_bytes(cuts.rows) + band.slack()},
                            call.device().allocator(MemoryKind::host));
        for (std::size_t t = begin; t < end; ++t)
          convolve_task(static_cast<std::int64_t>(t), static_cast<std::byte*>(buffer.raw_data()));
      });
  return !spoiled;
}

bool conv_bfloat16(const KernelCall& call, const ConvProblem& p, const Tensor& images,
                   const TileMatrix& filter, const Tensor& out) {
  const Tensor sums(DType::f32, out.shape(), call.device().allocator(MemoryKind::host));
  auto* const to = static_cast<std::uint16_t*>(out.raw_data());
  return conv_tiled(call, p, TileSource::kBfloat16, images.raw_data(), filter, sums.raw_data(),
                    [&](void* at, std::int64_t row, std::int64_t begin, std::int64_t end) {
                      narrow_for_tiles(to + row * p.out_channels + begin,
                                       static_cast<const float*>(at), end - begin);
                    });
}

}  // namespace rill
