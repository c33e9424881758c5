#pragma once

#include <algorithm>
#include <cmath>

#include "rill/ops/levels/quantized_type.h"

namespace rill {

// Which of a type's numbers stands for `value` in a range; perhaps one beyond the type's ends. The
// lowest in an empty range.
inline std::int64_t unclamped_level(double value, float min, float max, const QuantizedType& type) {
  if (min == max) return static_cast<std::int64_t>(type.lowest);
  const double steps = type.step_count();
  const double range = static_cast<double>(max - min) * (steps / (steps - 1));
  const double scale = steps / range;
  const double level = std::round(value * scale) - std::round(min * scale) + type.lowest;
  constexpr double kFar = 9e18;  // what is no number of 64 bits comes from ranges without end
  require(level > -kFar && level < kFar, "the range [", min, ", ", max, "] is too small");
  return static_cast<std::int64_t>(level);
}

inline std::int64_t level_of(double value, float min, float max, const QuantizedType& type) {
  return std::clamp(unclamped_level(value, min, max, type), static_cast<std::int64_t>(type.lowest),
                    static_cast<std::int64_t>(type.highest));
}

// What a level stands for; the end of an empty range.
inline float value_of_level(double level, float min, float max, const QuantizedType& type) {
  if (min == max) return min;
  const double steps = type.step_count();
  const double range = static_cast<double>(max - min) * (steps / (steps - 1));
  const double step = range / steps;
  // The first level is rounded with a step of floats, as where many levels are read.
  const auto short_step = static_cast<float>(step);
  const double first = std::round(min / short_step) * short_step;
  return static_cast<float>(first + (level - type.lowest) * step);
}

}  // namespace rill
