#pragma once

#include <cstdint>
#include <span>

namespace rill {

// What one column of a resized image is mixed from: offsets of pixels in a row.
struct MixedColumn {
  std::int64_t lower, upper;
  float distance;
};

// Rows of three channels: `out` gets lower + (upper - lower) * distance of every column, from a row
// of `row_size` bytes or floats.
void mix_rgb(float* out, const std::uint8_t* row, std::int64_t row_size,
             std::span<const MixedColumn> columns);
void mix_rgb(float* out, const float* row, std::int64_t row_size,
             std::span<const MixedColumn> columns);

}  // namespace rill
