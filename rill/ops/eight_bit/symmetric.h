#pragma once

#include "rill/ops/eight_bit/bytes.h"

// How Intel's ops read numbers: level 0 is zero, and a type's highest level is the end of the range
// that is farther from zero.
namespace rill {

inline float farther_end(float min, float max) { return std::max(std::abs(min), std::abs(max)); }
inline float farther_end(const LevelRange& range) { return farther_end(range.min, range.max); }

// The highest level of a type of bytes; the lowest of qint8 counts as -127.
inline float highest_level(DType type) { return base_type(type) == DType::qi8 ? 127 : 255; }

// The step of levels from the width of the range, for the ranges of 32-bit results.
inline float step_of_width(float min, float max, DType type) {
  return (max - min) / (base_type(type) == DType::qi8 ? 254.0f : 255.0f);
}

inline bool is_byte_type(DType type) {
  return base_type(type) == DType::qi8 || base_type(type) == DType::qu8;
}

// Of signed bytes, lifted_bytes() makes the level that was 0 this one.
inline std::int32_t lifted_zero(DType type) { return base_type(type) == DType::qi8 ? 128 : 0; }

// A bias as levels of sums of which `steps[c]` (or the only one) make up 1; of qint32: as it is.
inline std::vector<float> bias_levels(const Tensor& bias, const std::vector<float>& steps) {
  const auto count = static_cast<std::size_t>(bias.element_count());
  std::vector<float> levels(count);
  for (std::size_t c = 0; c < count; ++c)
    levels[c] = base_type(bias.dtype()) == DType::qi32
                    ? static_cast<float>(static_cast<const std::int32_t*>(bias.raw_data())[c])
                    : bias.data<float>()[c] * steps[steps.size() == 1 ? 0 : c];
  return levels;
}

}  // namespace rill
