#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "rill/ops/random/words.h"

namespace rill {

// Pixels [left, right) by [top, bottom).
struct PixelBox {
  std::int64_t left, top, right, bottom;

  float area() const { return static_cast<float>((right - left) * (bottom - top)); }
  PixelBox shared_with(const PixelBox& other) const {
    const PixelBox both{std::max(left, other.left), std::max(top, other.top),
                        std::min(right, other.right), std::min(bottom, other.bottom)};
    return both.left < both.right && both.top < both.bottom ? both : PixelBox{0, 0, 0, 0};
  }
};

// How random parts of images are drawn, number for number as in TensorFlow.
struct PartRule {
  float min_area, max_area;  // of the whole
  // Draws a part with this ratio of width to height; false when none has such an area.
  bool draw(std::int64_t width, std::int64_t height, float ratio, PhiloxWords& words,
            PixelBox* part) const;
};

// Whether `part` covers this much of one of the boxes; those of less than a pixel do not count.
bool covers_enough(const PixelBox& part, std::span<const PixelBox> boxes, float least);

}  // namespace rill
