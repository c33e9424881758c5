#include "rill/ops/quantize/quantize_rows.h"

#include <cmath>

#define HWY_TARGET_INCLUDE "rill/ops/quantize/quantize_rows.cpu.cc"
#include "rill/ops/simd/each_target.h"

HWY_BEFORE_NAMESPACE();
namespace rill::HWY_NAMESPACE {
namespace {

inline float level_between(float x, float low, float high) {
  const float not_above = x < high ? x : high;
  return not_above > low ? not_above : low;
}

template <LevelRounding rounding>
inline float rounded_level(float x) {
  if constexpr (rounding == LevelRounding::kHalfToEven) return std::nearbyint(x);
  if constexpr (rounding == LevelRounding::kNone) return x;
  const float whole = std::trunc(x);
  return whole + std::copysign(std::abs(x - whole) >= 0.5f ? 1.0f : 0.0f, x);
}

template <LevelRounding rounding>
void level_row(float* out, const float* x, std::size_t n, const LevelSteps& steps) {
  const LevelSteps s = steps;
#pragma GCC ivdep
  for (std::size_t i = 0; i < n; ++i) {
    const float place = (level_between(x[i], s.low, s.high) - s.first) * s.scale - s.before;
    out[i] = level_between(rounded_level<rounding>(place) - s.after, s.lowest, s.highest);
  }
}

}  // namespace

LevelRow pick_level_row(LevelRounding rounding) {
  switch (rounding) {
    case LevelRounding::kHalfToEven:
      return level_row<LevelRounding::kHalfToEven>;
    case LevelRounding::kNone:
      return level_row<LevelRounding::kNone>;
    case LevelRounding::kHalfAwayFromZero:
      break;
  }
  return level_row<LevelRounding::kHalfAwayFromZero>;
}

void affine_row(float* out, const float* x, std::size_t n, float before, float scale,
                float offset) {
#pragma GCC ivdep
  for (std::size_t i = 0; i < n; ++i) out[i] = (x[i] + before) * scale + offset;
}

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

HWY_EXPORT(pick_level_row);
HWY_EXPORT(affine_row);

LevelRow find_level_row(LevelRounding rounding) {
  return HWY_DYNAMIC_DISPATCH(pick_level_row)(rounding);
}

void run_affine_row(float* out, const float* x, std::size_t n, float before, float scale,
                    float offset) {
  HWY_DYNAMIC_DISPATCH(affine_row)(out, x, n, before, scale, offset);
}

}  // namespace rill
#endif
