#pragma once

#include <vector>

#include "rill/ops/nn/window/patches.h"
#include "rill/ops/tiles/tile_block.h"

namespace rill {

inline std::int64_t parts_of(std::int64_t total, std::int64_t part) {
  return (total + part - 1) / part;
}

// A band of result rows of one image, or whole images: what of them is seen stands, padded, in a
// buffer of `width` pixels a row. Tiles are 16 results in a row; where windows move by one, those
// of all rows, between which are some that nobody wants, are one row of `virtual_width` each.
struct Band {
  Band(const ConvProblem& problem, std::int64_t size_of_element)
      : p(problem),
        element(size_of_element),
        width((p.dims[1].out - 1) * p.dims[1].stride + p.dims[1].size),
        dense(p.dims[0].stride == 1 && p.dims[1].stride == 1),
        virtual_width(dense ? width : parts_of(p.dims[1].out, kTileRows) * kTileRows),
        pixel(p.in_channels * element) {}

  std::int64_t buffer_rows(std::int64_t rows) const {
    return (rows - 1) * p.dims[0].stride + p.dims[0].reach();
  }
  std::int64_t image_bytes(std::int64_t rows) const { return buffer_rows(rows) * width * pixel; }
  // Of zeros beyond the last pixel, which tiles reach.
  std::int64_t slack() const {
    return 2 * kTileRows * p.dims[1].stride * pixel + 2 * kTileRowBytes;
  }
  std::int64_t tile_count(std::int64_t rows) const {
    return parts_of((rows - 1) * virtual_width + p.dims[1].out, kTileRows);
  }
  std::ptrdiff_t tile_offset(std::int64_t tile) const {
    const std::int64_t at = tile * kTileRows;
    if (dense) return at * pixel;
    return (at / virtual_width * p.dims[0].stride * width + at % virtual_width * p.dims[1].stride) *
           pixel;
  }

  const ConvProblem& p;
  std::int64_t element, width;
  bool dense;
  std::int64_t virtual_width, pixel;
};

// Sixteen results: where in the buffer their windows start, and where they go.
struct BandTile {
  std::ptrdiff_t offset;
  std::int64_t y, x;      // of the first, in the virtual rows of its image
  std::int64_t position;  // of its image's first result among those of the task
  bool whole;             // all of them are wanted and stand together

  std::int64_t first(std::int64_t out) const { return position + y * out + x; }
};

inline std::vector<BandTile> tiles_of(const Band& band, std::int64_t images, std::int64_t rows) {
  std::vector<BandTile> tiles;
  const std::int64_t out = band.p.dims[1].out;
  for (std::int64_t n = 0; n < images; ++n)
    for (std::int64_t t = 0; t < band.tile_count(rows); ++t) {
      const std::int64_t y = t * kTileRows / band.virtual_width,
                         x = t * kTileRows % band.virtual_width;
      tiles.push_back({n * band.image_bytes(rows) + band.tile_offset(t), y, x, n * rows * out,
                       x + kTileRows <= out});
    }
  return tiles;
}

}  // namespace rill
