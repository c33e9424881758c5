#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "rill/kernel/kernel_node.h"

namespace rill {

// Where the pixels of a resized image lie in the original, along one dimension.
struct Sampling {
  std::int64_t in = 0, out = 0;
  bool half_pixel_centers = false;
  float scale = 1;

  Sampling(std::int64_t in_size, std::int64_t out_size, bool align_corners, bool half_pixels)
      : in(in_size), out(out_size), half_pixel_centers(half_pixels) {
    scale = align_corners && out > 1 ? static_cast<float>(in - 1) / static_cast<float>(out - 1)
                                     : static_cast<float>(in) / static_cast<float>(out);
  }
  float position(std::int64_t i) const {
    const auto at = static_cast<float>(i);
    return half_pixel_centers ? (at + 0.5F) * scale - 0.5F : at * scale;
  }
  std::int64_t bounded(std::int64_t i) const { return i < 0 ? 0 : i < in ? i : in - 1; }
};

// The two attributes that say how. Throws InvalidArgument when both are set.
struct SamplingRule {
  explicit SamplingRule(const KernelNode& node);
  bool align_corners, half_pixel_centers = false;
  Sampling along(std::int64_t in, std::int64_t out) const {
    return {in, out, align_corners, half_pixel_centers};
  }
};

// Every result as a weighted sum of sources: result i has taps begin[i] to begin[i + 1].
struct Taps {
  struct Tap {
    std::int32_t source;
    float weight;
  };
  std::vector<std::int64_t> begin{0};
  std::vector<Tap> taps;

  std::int64_t count() const { return static_cast<std::int64_t>(begin.size()) - 1; }
  void add(std::int64_t source, float weight) {
    taps.push_back({static_cast<std::int32_t>(source), weight});
  }
  void end_result() { begin.push_back(static_cast<std::int64_t>(taps.size())); }
};

Taps linear_taps(const Sampling& sampling);
Taps cubic_taps(const Sampling& sampling);
Taps area_taps(const Sampling& sampling);
// For each of `source_count` sources the results that it takes part in: the map of the gradient.
Taps transposed(const Taps& taps, std::int64_t source_count);

// The two sources of a result and how far it lies from the first.
struct Neighbours {
  std::int64_t lower, upper;
  float distance;
};
Neighbours neighbours(const Sampling& sampling, std::int64_t i);
// The nearest source of a result.
std::int64_t nearest(const Sampling& sampling, bool align_corners, std::int64_t i);

}  // namespace rill
