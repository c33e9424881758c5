#include "rill/io/bmp.h"

#include <cstring>

#include "rill/base/error.h"

namespace rill {
namespace {

constexpr std::size_t kHeader = 32;  // as far as anything is read of it
constexpr std::int64_t kMaxBmpBytes = std::int64_t{1} << 30;

template <class T>
T little_endian_at(std::string_view bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

struct Layout {
  std::int64_t start, width, height, row;
  int channels;
  bool top_down;
};

Layout read_layout(std::string_view bytes) {
  require(bytes.size() >= kHeader, "Incomplete bmp content, requires at least ", kHeader,
          " bytes to find the header size, width, height, and bpp, got ", bytes.size(), " bytes");
  Layout l{};
  l.start = little_endian_at<std::int32_t>(bytes, 10);
  l.width = little_endian_at<std::int32_t>(bytes, 18);
  l.height = little_endian_at<std::int32_t>(bytes, 22);
  const int bits = little_endian_at<std::int16_t>(bytes, 28);
  l.channels = bits / 8;
  l.top_down = l.height < 0;
  if (l.top_down) l.height = -l.height;
  require(l.channels == 1 || l.channels == 3 || l.channels == 4,
          "Number of channels inherent in the image must be 1, 3 or 4, was ", l.channels);
  // The kind of compression follows, in headers that are long enough: none, or bits of a pixel.
  const auto packed = bytes.size() < 34 ? 0 : little_endian_at<std::int32_t>(bytes, 30);
  require(packed == 0 || packed == 3, "BMP with compression ", packed, " is not supported");
  require(l.width > 0, "Width must be positive, not ", l.width);
  require(l.height > 0, "Height must not be 0");
  require(l.start >= 0, "header size must not be negative: ", l.start);
  require(l.height < kMaxBmpBytes / l.width / l.channels,
          "Total possible pixel bytes must be less than 2^30, not ", l.width, " by ", l.height,
          " by ", l.channels);
  l.row = (l.channels * l.width + 3) / 4 * 4;
  const std::int64_t more = static_cast<std::int64_t>(bytes.size()) - l.start - l.row * l.height;
  require(more >= 0,
          "Input size should match (header_size + row_size * abs_height) but they differ by ",
          more);
  return l;
}

// Blue comes first in the file. Grey becomes three equal channels; alpha is 255 or left out.
void convert_row(const std::uint8_t* from, int have, std::uint8_t* to, int want,
                 std::int64_t width) {
  for (std::int64_t x = 0; x < width; ++x, from += have, to += want) {
    to[0] = have == 1 ? from[0] : from[2];
    if (want == 1) continue;
    to[1] = have == 1 ? from[0] : from[1];
    to[2] = from[0];
    if (want == 4) to[3] = have == 4 ? from[3] : 255;
  }
}

}  // namespace

void decode_bmp(std::string_view bytes, int channels, PlaceForPicture place) {
  const Layout l = read_layout(bytes);
  if (channels == 0) channels = l.channels;
  require(channels == 3 || channels == 4 || channels == l.channels, "a BMP of ", l.channels,
          " channels cannot be read as ", channels);
  auto* out = static_cast<std::uint8_t*>(place({1, l.height, l.width, channels}));
  const auto* first = reinterpret_cast<const std::uint8_t*>(bytes.data()) + l.start;
  for (std::int64_t y = 0; y < l.height; ++y, out += l.width * channels)
    convert_row(first + (l.top_down ? y : l.height - 1 - y) * l.row, l.channels, out, channels,
                l.width);
}

}  // namespace rill
