#pragma once

#include <algorithm>
#include <cmath>

namespace rill {

template <class T>
struct Hsv {
  T hue, saturation, value;
};

// Grey has hue and saturation 0.
template <class T>
Hsv<T> to_hsv(T red, T green, T blue) {
  const T value = std::max({red, green, blue}), range = value - std::min({red, green, blue});
  const T by_range = T{1} / (T{6} * range);
  T hue = red == value     ? by_range * (green - blue)
          : green == value ? by_range * (blue - red) + T{2} / T{6}
                           : by_range * (red - green) + T{4} / T{6};
  if (!(range > 0)) hue = 0;
  if (hue < 0) hue += 1;
  return {hue, value > 0 ? range / value : T{0}, value};
}

// How much of one channel a hue has: a trapezium around the channel's own hue.
template <class T>
struct HueShares {
  explicit HueShares(T hue) {
    const T sixths = hue * 6;
    red = clamped(std::abs(sixths - 3) - 1);
    green = clamped(2 - std::abs(sixths - 2));
    blue = clamped(2 - std::abs(sixths - 4));
  }
  static T clamped(T x) { return std::min(std::max(x, T{0}), T{1}); }
  T red, green, blue;
};

template <class T>
void write_rgb(const Hsv<T>& color, T* rgb) {
  const HueShares<T> shares(color.hue);
  const T grey = 1 - color.saturation;
  rgb[0] = (grey + color.saturation * shares.red) * color.value;
  rgb[1] = (grey + color.saturation * shares.green) * color.value;
  rgb[2] = (grey + color.saturation * shares.blue) * color.value;
}

}  // namespace rill
