#pragma once

#include <array>
#include <vector>

#include "rill/ops/nn/channels/scratch_floats.h"
#include "rill/ops/nn/window/patches.h"
#include "rill/ops/nn/winograd/winograd_rows.h"

namespace rill {

inline constexpr double kWinogradNanosPerFlop = 0.01;

// A filter of three taps in a row or column is one part; of five or seven, one of three taps and
// the rest of two each. Values of taps and images have a depth at every place: as many parts times
// channels as are not zero there.
struct WinogradParts {
  explicit WinogradParts(const ConvProblem& problem);

  // How many parts have something at place [y, x], and which of these one is.
  std::int64_t at_row(int y) const { return y < 3 ? down : 1; }
  std::int64_t at_column(int x) const { return x < 3 ? across : 1; }
  std::int64_t count(int place) const { return at_row(place / 4) * at_column(place % 4); }
  bool has(int place, std::int64_t part_y, std::int64_t part_x) const {
    return part_y < at_row(place / 4) && part_x < at_column(place % 4);
  }
  // Where a part's values are among those of all places, in parts.
  std::int64_t index(int place, std::int64_t part_y, std::int64_t part_x) const {
    return begin[static_cast<std::size_t>(place)] + part_y * at_column(place % 4) + part_x;
  }
  // Taps of a part: where they begin, and how many.
  static std::int64_t first_tap(std::int64_t part) { return part == 0 ? 0 : 1 + 2 * part; }
  static std::int64_t tap_count(std::int64_t part) { return part == 0 ? 3 : 2; }

  std::int64_t down, across;                          // parts of rows and of columns
  std::array<std::int64_t, kWinogradPlaces> begin{};  // of each place
  std::int64_t total = 0;
};

// The tiles of all images, row by row, in blocks of whole rows, cut by the shape alone.
struct WinogradTiles {
  explicit WinogradTiles(const ConvProblem& problem);

  std::int64_t count() const { return rows * in_row; }
  std::int64_t max_in_block() const { return block_rows * in_row; }
  // The first row of results, among all images, of a row of tiles.
  std::int64_t result_row(std::int64_t row) const {
    return row / in_column * results + 2 * (row % in_column);
  }

  std::int64_t results;  // rows of one image
  std::int64_t in_row, in_column, rows, block_rows, blocks;
};

// The values of a block of tiles.
class WinogradValues {
 public:
  WinogradValues(const KernelCall& call, const ConvProblem& problem, const WinogradParts& parts,
                 const WinogradTiles& tiles, const float* images);

  // Of tiles in rows [first, end).
  void turn(std::int64_t first, std::int64_t end);
  std::int64_t tiles() const { return tiles_; }
  // [parts and their chunks][tile][channel] at a place.
  const float* at(int place) const {
    return values_.data<float>() +
           parts_.begin[static_cast<std::size_t>(place)] * tiles_ * p_.in_channels;
  }

 private:
  void find_pixels(std::int64_t row, std::int64_t column, std::int64_t part_y, std::int64_t part_x,
                   const float** pixels) const;

  const ConvProblem& p_;
  const WinogradParts& parts_;
  const WinogradTiles& all_;
  const float* images_;
  Tensor values_;
  std::vector<float> zeros_;
  std::int64_t tiles_ = 0;
};

// Calls visit(part_y, part_x, taps, places) with nine positions of taps, -1 where the part has
// none, and 16 indices of WinogradParts, -1 where it has nothing.
template <class Visit>
void for_winograd_parts(const ConvProblem& p, const WinogradParts& parts, Visit visit) {
  for (std::int64_t y = 0; y < parts.down; ++y)
    for (std::int64_t x = 0; x < parts.across; ++x) {
      std::int64_t taps[9], places[kWinogradPlaces];
      for (int i = 0; i < 9; ++i)
        taps[i] = i / 3 < parts.tap_count(y) && i % 3 < parts.tap_count(x)
                      ? (parts.first_tap(y) + i / 3) * p.dims[1].size + parts.first_tap(x) + i % 3
                      : -1;
      for (int i = 0; i < kWinogradPlaces; ++i)
        places[i] = parts.has(i, y, x) ? parts.index(i, y, x) : -1;
      visit(taps, places);
    }
}

// For RILL_LOG=kernel.
void log_winograd(const KernelCall& call);

}  // namespace rill
