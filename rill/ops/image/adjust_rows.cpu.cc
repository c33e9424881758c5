#include "rill/ops/image/adjust_rows.h"

#define HWY_TARGET_INCLUDE "rill/ops/image/adjust_rows.cpu.cc"
#include "rill/ops/simd/each_target.h"

HWY_BEFORE_NAMESPACE();
namespace rill::HWY_NAMESPACE {
namespace {

constexpr int kColors = 64;

// A few colours with each channel in a list of its own, so that loops over them are vectorised.
struct ColorPlanes {
  float red[kColors], green[kColors], blue[kColors];

  void load(const float* colors, int count) {
    for (int i = 0; i < count; ++i) {
      red[i] = colors[3 * i];
      green[i] = colors[3 * i + 1];
      blue[i] = colors[3 * i + 2];
    }
    for (int i = count; i < kColors; ++i) red[i] = green[i] = blue[i] = 0;
  }
  void store(float* colors, int count) const {
    for (int i = 0; i < count; ++i) {
      colors[3 * i] = red[i];
      colors[3 * i + 1] = green[i];
      colors[3 * i + 2] = blue[i];
    }
  }
};

inline float adjust_clamped(float x) { return x > 0 ? (x < 1 ? x : 1.0F) : 0.0F; }
// The same, but what is no number stays none.
inline float adjust_bounded(float x) { return x < 0 ? 0.0F : (x > 1 ? 1.0F : x); }
inline float adjust_magnitude(float x) { return x < 0 ? -x : x; }

// What a colour is made of: all choices are made without a branch. The hue is in sixths of a turn.
struct ColorParts {
  float hue, value, range;

  ColorParts(float red, float green, float blue) {
    const float high = green > blue ? green : blue, low = green < blue ? green : blue;
    value = red > high ? red : high;
    range = value - (red < low ? red : low);
    const float by_range = 1 / range;
    const float from_red = by_range * (green - blue), from_green = by_range * (blue - red) + 2,
                from_blue = by_range * (red - green) + 4;
    const float turned = red == value ? from_red : (green == value ? from_green : from_blue);
    hue = range > 0 ? turned : 0.0F;
    hue = hue < 0 ? hue + 6 : hue;
  }
};

void adjust_turn_hue(float* out, const float* colors, std::int64_t count, float sixths) {
  ColorPlanes p;
  for (std::int64_t begin = 0; begin < count; begin += kColors) {
    const int some = count - begin < kColors ? static_cast<int>(count - begin) : kColors;
    p.load(colors + 3 * begin, some);
    for (int i = 0; i < kColors; ++i) {
      const ColorParts parts(p.red[i], p.green[i], p.blue[i]);
      float hue = parts.hue + sixths;
      hue = hue < 0 ? hue + 6 : hue;
      hue = hue >= 6 ? hue - 6 : hue;
      const float least = parts.value - parts.range;
      p.red[i] = least + adjust_clamped(adjust_magnitude(hue - 3) - 1) * parts.range;
      p.green[i] = least + adjust_clamped(2 - adjust_magnitude(hue - 2)) * parts.range;
      p.blue[i] = least + adjust_clamped(2 - adjust_magnitude(hue - 4)) * parts.range;
    }
    p.store(out + 3 * begin, some);
  }
}

void adjust_hsv_to_rgb(float* out, const float* colors, std::int64_t count) {
  ColorPlanes p;
  for (std::int64_t begin = 0; begin < count; begin += kColors) {
    const int some = count - begin < kColors ? static_cast<int>(count - begin) : kColors;
    p.load(colors + 3 * begin, some);
    for (int i = 0; i < kColors; ++i) {
      const float hue = p.red[i] * 6, saturation = p.green[i], value = p.blue[i];
      const float grey = 1 - saturation;
      p.red[i] = (grey + saturation * adjust_bounded(adjust_magnitude(hue - 3) - 1)) * value;
      p.green[i] = (grey + saturation * adjust_bounded(2 - adjust_magnitude(hue - 2))) * value;
      p.blue[i] = (grey + saturation * adjust_bounded(2 - adjust_magnitude(hue - 4))) * value;
    }
    p.store(out + 3 * begin, some);
  }
}

void adjust_scale_saturation(float* out, const float* colors, std::int64_t count, float scale) {
  ColorPlanes p;
  for (std::int64_t begin = 0; begin < count; begin += kColors) {
    const int some = count - begin < kColors ? static_cast<int>(count - begin) : kColors;
    p.load(colors + 3 * begin, some);
    for (int i = 0; i < kColors; ++i) {
      const ColorParts parts(p.red[i], p.green[i], p.blue[i]);
      const float share = parts.range / parts.value;
      const float scaled = adjust_clamped((parts.value > 0 ? share : 0.0F) * scale);
      const float grey = 1 - scaled, hue = parts.hue;
      p.red[i] = (grey + scaled * adjust_clamped(adjust_magnitude(hue - 3) - 1)) * parts.value;
      p.green[i] = (grey + scaled * adjust_clamped(2 - adjust_magnitude(hue - 2))) * parts.value;
      p.blue[i] = (grey + scaled * adjust_clamped(2 - adjust_magnitude(hue - 4))) * parts.value;
    }
    p.store(out + 3 * begin, some);
  }
}

void adjust_add(float* sums, const float* x, std::int64_t n) {
#pragma GCC ivdep
  for (std::int64_t i = 0; i < n; ++i) sums[i] += x[i];
}

void adjust_contrast_row(float* out, const float* x, const float* means, float factor,
                         std::int64_t n) {
#pragma GCC ivdep
  for (std::int64_t i = 0; i < n; ++i) out[i] = (x[i] - means[i]) * factor + means[i];
}

}  // namespace

AdjustRows rows_for_adjusting() {
  return {adjust_turn_hue, adjust_scale_saturation, adjust_hsv_to_rgb, adjust_add,
          adjust_contrast_row};
}

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

RILL_DISPATCH_ONCE(AdjustRows, adjust_rows, rows_for_adjusting);

}  // namespace rill
#endif
