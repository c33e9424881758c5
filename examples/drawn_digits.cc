#include "drawn_digits.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace digits {
namespace {

struct Segment {
  float x0, y0, x1, y1;
};
// A figure of width 1 and height 2: top, upper left and right, middle, lower left and right,
// bottom.
constexpr std::array<Segment, 7> kSegments = {{{0, 0, 1, 0},
                                               {0, 0, 0, 1},
                                               {1, 0, 1, 1},
                                               {0, 1, 1, 1},
                                               {0, 1, 0, 2},
                                               {1, 1, 1, 2},
                                               {0, 2, 1, 2}}};
// Which segments each digit shows, one bit each in the order above.
constexpr std::array<unsigned, 10> kShown = {0b1110111, 0b0100100, 0b1011101, 0b1101101, 0b0101110,
                                             0b1101011, 0b1111011, 0b0100101, 0b1111111, 0b1101111};

float distance(float x, float y, const Segment& s) {
  const float dx = s.x1 - s.x0, dy = s.y1 - s.y0;
  const float along =
      std::clamp(((x - s.x0) * dx + (y - s.y0) * dy) / (dx * dx + dy * dy), 0.0f, 1.0f);
  return std::hypot(x - s.x0 - along * dx, y - s.y0 - along * dy);
}

}  // namespace

void Pen::draw_one(int digit, float* pixels) {
  const float size = uniform(3.6f, 5.6f), slant = uniform(-0.35f, 0.35f);
  const float left = uniform(2.5f, 11.5f - size), top = uniform(1.5f, 13.5f - 2 * size);
  const float width = uniform(0.14f, 0.3f), noise = uniform(0.0f, 0.35f);
  for (int row = 0; row < kSide; ++row)
    for (int column = 0; column < kSide; ++column) {
      const float y = (static_cast<float>(row) - top) / size;
      const float x = (static_cast<float>(column) - left) / size + slant * (y - 1);
      float nearest = 9;
      for (std::size_t i = 0; i < kSegments.size(); ++i)
        if ((kShown[static_cast<std::size_t>(digit)] >> i & 1) != 0)
          nearest = std::min(nearest, distance(x, y, kSegments[i]));
      const float ink = std::clamp(1.5f - nearest / width, 0.0f, 1.0f);
      pixels[row * kSide + column] = std::clamp(ink + uniform(-noise, noise), 0.0f, 1.0f);
    }
}

Batch Pen::draw(int count) {
  Batch batch;
  batch.pixels.resize(static_cast<std::size_t>(count) * kPixels);
  for (int i = 0; i < count; ++i) {
    batch.labels.push_back(static_cast<std::int32_t>(random_() % kClasses));
    draw_one(batch.labels.back(), batch.pixels.data() + static_cast<std::ptrdiff_t>(i) * kPixels);
  }
  return batch;
}

}  // namespace digits
