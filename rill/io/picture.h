#pragma once

#include <cstdint>
#include <span>

#include "rill/base/function_ref.h"

namespace rill {

// A picture of 8-bit samples, or 16-bit ones in the machine's byte order, row by row, with the
// channels of a pixel side by side: grey, grey and alpha, RGB or RGBA.
struct Picture {
  std::int64_t width = 0, height = 0;
  int channels = 1;  // 1 to 4
  std::span<const std::uint8_t> samples;
  int bits = 8;  // of one sample
};

// What a decoder found in a file's first bytes. `frames` is more than 1 for moving pictures only.
struct PictureSize {
  std::int64_t frames = 1, height = 0, width = 0;
  int channels = 3;
};

// Decoders ask for the place of all samples when the size is known and checked, and nothing but the
// size was believed so far. It may throw. Of pictures with 16 bits the place is for uint16.
using PlaceForPicture = FunctionRef<void*(const PictureSize&)>;

// Pictures of more pixels than this are refused, as in TensorFlow.
inline constexpr std::int64_t kMaxPixels = std::int64_t{1} << 29;

}  // namespace rill
