#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace rill {

// A picture of 8-bit samples, row by row, with the channels of a pixel side by side: grey, grey and
// alpha, RGB or RGBA.
struct Picture {
  std::int64_t width = 0, height = 0;
  int channels = 1;  // 1 to 4
  std::span<const std::uint8_t> samples;
};

// The picture as a PNG. Throws InvalidArgument when a size is not positive or beyond what the
// format allows, or the samples do not fill the picture.
std::string encode_png(const Picture& picture);

}  // namespace rill
