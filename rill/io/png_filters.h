#pragma once

#include <cstddef>
#include <cstdint>

namespace rill {

// Filters of PNG: what was taken from each byte before it was packed. The byte to the left belongs
// to the pixel before; outside of the picture there is 0.
enum class PngFilter : std::uint8_t { kNone, kLeft, kAbove, kMean, kNearest };

// How many bytes behind `in` and `above` may be read.
inline constexpr std::size_t kPngRowMargin = 4;

// Undoes the filter of a row of `size` bytes, with `channels` bytes a pixel, 1 to 4.
void restore_png_row(PngFilter filter, int channels, const std::uint8_t* in,
                     const std::uint8_t* above, std::uint8_t* out, std::size_t size);

}  // namespace rill
