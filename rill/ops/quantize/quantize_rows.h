#pragma once

#include <cstddef>
#include <limits>

namespace rill {

enum class LevelRounding : unsigned char { kNone, kHalfAwayFromZero, kHalfToEven };

// How a number becomes a level: clamped to [low, high], (x - first) * scale - before rounded, less
// `after`, clamped to [lowest, highest].
struct LevelSteps {
  static constexpr float kNoLimit = std::numeric_limits<float>::infinity();
  float low = -kNoLimit, high = kNoLimit;
  float first = 0, scale = 1, before = 0;
  float after = 0, lowest = -kNoLimit, highest = kNoLimit;
  LevelRounding rounding = LevelRounding::kHalfAwayFromZero;
};

using LevelRow = void (*)(float* out, const float* x, std::size_t n, const LevelSteps& steps);
LevelRow find_level_row(LevelRounding rounding);

// out[i] = (x[i] + before) * scale + offset, in place or not.
void run_affine_row(float* out, const float* x, std::size_t n, float before, float scale,
                    float offset);

}  // namespace rill
