#pragma once

#include <cstdint>

namespace rill {

// Loops over colours, [red, green, blue] each.
struct AdjustRows {
  // Turns hues by sixths of a turn, which lie within (-6, 6).
  void (*turn_hue)(float* out, const float* colors, std::int64_t count, float sixths);
  // Multiplies saturations, which are kept within [0, 1].
  void (*scale_saturation)(float* out, const float* colors, std::int64_t count, float scale);
  // From hue, saturation and value.
  void (*hsv_to_rgb)(float* out, const float* colors, std::int64_t count);
  // Over elements: sums += x, and out = (x - means) * factor + means.
  void (*add)(float* sums, const float* x, std::int64_t n);
  void (*contrast)(float* out, const float* x, const float* means, float factor, std::int64_t n);
};

const AdjustRows& adjust_rows();

}  // namespace rill
