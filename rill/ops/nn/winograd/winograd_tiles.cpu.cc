#include "rill/ops/nn/winograd/winograd_tiles.h"

#include "rill/base/log.h"

namespace rill {
namespace {

// Values of a block of tiles stay in the second-level cache; more tiles than some gain nothing.
constexpr std::int64_t kBlockBytes = 1 << 20, kMaxTiles = 112;

}  // namespace

WinogradParts::WinogradParts(const ConvProblem& p)
    : down((p.dims[0].size - 1) / 2), across((p.dims[1].size - 1) / 2) {
  for (int place = 0; place < kWinogradPlaces; ++place) {
    begin[static_cast<std::size_t>(place)] = total;
    total += count(place);
  }
}

WinogradTiles::WinogradTiles(const ConvProblem& p)
    : results(p.dims[0].out),
      in_row((p.dims[1].out + 1) / 2),
      in_column((p.dims[0].out + 1) / 2),
      rows(p.batch * in_column) {
  const std::int64_t bytes =
      WinogradParts(p).total * p.in_channels * static_cast<std::int64_t>(sizeof(float));
  const std::int64_t most = std::clamp<std::int64_t>(kBlockBytes / bytes, 1, kMaxTiles);
  const std::int64_t wanted = (rows * in_row + most - 1) / most;
  // So many that some threads are evenly busy.
  const std::int64_t even = wanted > 2 ? (wanted + 3) / 4 * 4 : 2;
  block_rows = (rows + even - 1) / even;
  blocks = (rows + block_rows - 1) / block_rows;
}

WinogradValues::WinogradValues(const KernelCall& call, const ConvProblem& problem,
                               const WinogradParts& parts, const WinogradTiles& tiles,
                               const float* images)
    : p_(problem),
      parts_(parts),
      all_(tiles),
      images_(images),
      values_(scratch_floats(call, parts.total * tiles.max_in_block() * problem.in_channels)),
      zeros_(static_cast<std::size_t>(problem.in_channels), 0.0f) {}

void WinogradValues::turn(std::int64_t first, std::int64_t end) {
  tiles_ = (end - first) * all_.in_row;
  const std::int64_t chunk_step = tiles_ * kWinogradChunk, step = tiles_ * p_.in_channels;
  for (std::int64_t y = 0; y < parts_.down; ++y)
    for (std::int64_t x = 0; x < parts_.across; ++x) {
      float* places[kWinogradPlaces];
      for (int i = 0; i < kWinogradPlaces; ++i)
        places[i] =
            parts_.has(i, y, x) ? values_.data<float>() + parts_.index(i, y, x) * step : nullptr;
      for (std::int64_t row = first; row < end; ++row)
        for (std::int64_t column = 0; column < all_.in_row; ++column) {
          const float* pixels[16];
          find_pixels(row, column, y, x, pixels);
          winograd_kernel().turn_tile(pixels, p_.in_channels / kWinogradChunk, chunk_step, places);
          for (float*& place : places)
            if (place != nullptr) place += kWinogradChunk;
        }
    }
}

// Outside the image there are zeros.
void WinogradValues::find_pixels(std::int64_t row, std::int64_t column, std::int64_t part_y,
                                 std::int64_t part_x, const float** pixels) const {
  const WindowDim &rows = p_.dims[0], &columns = p_.dims[1];
  const float* const image = images_ + row / all_.in_column * p_.image_size();
  const std::int64_t top = rows.start(2 * (row % all_.in_column)) + parts_.first_tap(part_y);
  const std::int64_t left = columns.start(2 * column) + parts_.first_tap(part_x);
  for (std::int64_t y = top; y < top + 4; ++y)
    for (std::int64_t x = left; x < left + 4; ++x) {
      const bool inside = y >= 0 && y < rows.in && x >= 0 && x < columns.in;
      *pixels++ = inside ? image + (y * columns.in + x) * p_.in_channels : zeros_.data();
    }
}

void log_winograd(const KernelCall& call) {
  if (log_topic_enabled("kernel"))
    log_topic_line("kernel", str_cat(call.node().name, ": conv:winograd chosen"));
}

}  // namespace rill
