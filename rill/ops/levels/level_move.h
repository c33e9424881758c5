#pragma once

#include <algorithm>
#include <cmath>

#include "rill/ops/levels/quantized_type.h"

namespace rill {

// The numbers that the lowest and the highest level of a type stand for.
struct LevelRange {
  float min, max;
  friend bool operator==(const LevelRange&, const LevelRange&) = default;
};

// What a level stands for, computed in floats as TensorFlow does it.
struct LevelMeaning {
  LevelMeaning(const LevelRange& range, const QuantizedType& type)
      : step(static_cast<float>((range.max - range.min) / (type.step_count() - 1))) {
    const float first = range.max == range.min ? range.min : std::round(range.min / step) * step;
    zero = first - static_cast<float>(type.lowest) * step;
  }
  float operator()(float level) const { return zero + level * step; }

  float step, zero = 0;
};

// The level that stands for a number, likewise; the lowest for what is no number.
struct NearestLevel {
  NearestLevel(const LevelRange& range, const QuantizedType& type)
      : lowest(static_cast<float>(type.lowest)), highest(static_cast<float>(type.highest)) {
    if (highest > type.highest) highest = std::nextafter(highest, 0.0f);  // beyond the last int32
    if (range.max != range.min)
      scale = static_cast<float>((type.step_count() - 1) / (range.max - range.min));
    offset = std::round(range.min * scale) - lowest;
  }
  float operator()(float value) const {
    const float level = std::round(value * scale) - offset;
    return level >= highest ? highest : level > lowest ? level : lowest;
  }

  float lowest, highest, scale = 0, offset = 0;
};

// How levels of one range become those of another.
template <class To, class From>
struct LevelMove {
  LevelMove(const LevelRange& from, const QuantizedType& from_type, const LevelRange& to,
            const QuantizedType& to_type)
      : meaning(from, from_type), nearest(to, to_type) {}
  To operator()(From level) const {
    return static_cast<To>(nearest(meaning(static_cast<float>(level))));
  }

  LevelMeaning meaning;
  NearestLevel nearest;
};

}  // namespace rill
