#pragma once

#include <cmath>
#include <cstdint>

namespace rill {

// One dimension of a crop: where its pixels lie in the image.
struct CropAxis {
  float from, to;
  std::int64_t in, out;

  // The place of pixel i; false when it lies outside of the image.
  bool place(std::int64_t i, float* at) const {
    const auto last = static_cast<float>(in - 1);
    *at = out > 1 ? from * last + static_cast<float>(i) * step() : 0.5F * (from + to) * last;
    return *at >= 0 && *at <= last;
  }
  float step() const {
    return (to - from) * static_cast<float>(in - 1) / static_cast<float>(out - 1);
  }
  // How the place of pixel i changes with `from` and with `to`.
  struct Slopes {
    float from, to;
  };
  Slopes slopes(std::int64_t i) const {
    const auto last = static_cast<float>(in - 1);
    if (out == 1) return {0.5F * last, 0.5F * last};
    const float ratio = last / static_cast<float>(out - 1);
    return {last - static_cast<float>(i) * ratio, static_cast<float>(i) * ratio};
  }
};

// The pixels on both sides of a place and how far it lies from the first.
struct CropPlace {
  std::int64_t lower, upper;
  float distance;
  explicit CropPlace(float at)
      : lower(static_cast<std::int64_t>(std::floor(at))),
        upper(static_cast<std::int64_t>(std::ceil(at))),
        distance(at - static_cast<float>(lower)) {}
};

}  // namespace rill
