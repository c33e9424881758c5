#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace rill {

// The numbers that fake quantisation rounds to are counted from `lowest` to `highest`.
struct QuantLevels {
  float lowest = 0, highest = 255;
};
// Throws InvalidArgument unless 2 <= num_bits <= 16.
QuantLevels quant_levels(std::int64_t num_bits, bool narrow_range);

// What each column of a row needs. Rows are at least kMinWidth long, a multiple of the number of
// channels, so that one range for all and ranges for few channels are quick as well.
struct QuantColumns {
  static constexpr std::size_t kMinWidth = 64;
  // The range, moved so that zero is one of the levels; the step between levels; its inverse; and
  // the level of zero. [0, 0] has an inverse of zero.
  std::vector<float> low, high, scale, inverse, zero;

  std::size_t width() const { return low.size(); }
};
QuantColumns quant_columns(std::span<const float> min, std::span<const float> max,
                           const QuantLevels& levels);

}  // namespace rill
