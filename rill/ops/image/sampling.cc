#include "rill/ops/image/sampling.h"

#include <array>
#include <limits>

#include "rill/base/error.h"

namespace rill {
namespace {

// Keys' cubic kernel, as TensorFlow tabulates it: weights of the neighbours at distances x and 1 +
// x.
class CubicTable {
 public:
  static constexpr int kSteps = 1024;
  explicit CubicTable(double a) {
    for (int i = 0; i <= kSteps; ++i) {
      const double x = i / static_cast<double>(kSteps), far = x + 1;
      near_[at(i)] = static_cast<float>(((a + 2) * x - (a + 3)) * x * x + 1);
      far_[at(i)] = static_cast<float>(((a * far - 5 * a) * far + 8 * a) * far - 4 * a);
    }
  }
  std::array<float, 4> weights(float distance) const {
    const auto step = static_cast<int>(std::lrint(distance * kSteps));
    return {far_[at(step)], near_[at(step)], near_[at(kSteps - step)], far_[at(kSteps - step)]};
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  std::array<float, kSteps + 1> near_{}, far_{};
};

// With half-pixel centres, sources outside of the image count nothing and the rest is scaled up.
void drop_outside(const Sampling& s, std::int64_t first, std::array<float, 4>& weights) {
  float sum = 0;
  for (std::int64_t k = 0; k < 4; ++k) {
    float& weight = weights[static_cast<std::size_t>(k)];
    if (first + k < 0 || first + k >= s.in) weight = 0;
    sum += weight;
  }
  if (std::fabs(sum) < 1000 * std::numeric_limits<float>::min()) return;
  for (float& weight : weights) weight *= 1 / sum;
}

}  // namespace

SamplingRule::SamplingRule(const KernelNode& node)
    : align_corners(node.attr<bool>("align_corners")) {
  if (node.attrs.contains("half_pixel_centers"))
    half_pixel_centers = node.attr<bool>("half_pixel_centers");
  require(!half_pixel_centers || !align_corners,
          "If half_pixel_centers is True, align_corners must be False.");
}

Neighbours neighbours(const Sampling& sampling, std::int64_t i) {
  const float at = sampling.position(i), below = std::floor(at);
  return {sampling.bounded(static_cast<std::int64_t>(below)),
          sampling.bounded(static_cast<std::int64_t>(std::ceil(at))), at - below};
}

std::int64_t nearest(const Sampling& sampling, bool align_corners, std::int64_t i) {
  const float at = sampling.half_pixel_centers ? (static_cast<float>(i) + 0.5F) * sampling.scale
                                               : static_cast<float>(i) * sampling.scale;
  return sampling.bounded(
      static_cast<std::int64_t>(align_corners ? std::round(at) : std::floor(at)));
}

Taps linear_taps(const Sampling& sampling) {
  Taps result;
  for (std::int64_t i = 0; i < sampling.out; ++i) {
    const Neighbours n = neighbours(sampling, i);
    result.add(n.lower, 1 - n.distance);
    result.add(n.upper, n.distance);
    result.end_result();
  }
  return result;
}

Taps cubic_taps(const Sampling& sampling) {
  static const CubicTable plain(-0.75), half_pixel(-0.5);
  Taps result;
  for (std::int64_t i = 0; i < sampling.out; ++i) {
    const float at = sampling.position(i), below = std::floor(at);
    const std::int64_t first = static_cast<std::int64_t>(below) - 1;
    auto weights = (sampling.half_pixel_centers ? half_pixel : plain).weights(at - below);
    if (sampling.half_pixel_centers) drop_outside(sampling, first, weights);
    for (std::int64_t k = 0; k < 4; ++k)
      result.add(sampling.bounded(first + k), weights[static_cast<std::size_t>(k)]);
    result.end_result();
  }
  return result;
}

Taps area_taps(const Sampling& sampling) {
  Taps result;
  for (std::int64_t i = 0; i < sampling.out; ++i) {
    const float from = static_cast<float>(i) * sampling.scale,
                to = static_cast<float>(i + 1) * sampling.scale;
    const auto end = static_cast<std::int64_t>(std::ceil(to));
    for (auto k = static_cast<std::int64_t>(std::floor(from)); k < end; ++k) {
      const auto left = static_cast<float>(k), right = static_cast<float>(k + 1);
      const float covered = left < from ? (right > to ? sampling.scale : right - from)
                                        : (right > to ? to - left : 1.0F);
      result.add(sampling.bounded(k), covered / sampling.scale);
    }
    result.end_result();
  }
  return result;
}

Taps transposed(const Taps& taps, std::int64_t source_count) {
  Taps result;
  result.begin.assign(static_cast<std::size_t>(source_count) + 1, 0);
  for (const Taps::Tap& tap : taps.taps) ++result.begin[static_cast<std::size_t>(tap.source) + 1];
  for (std::size_t i = 1; i < result.begin.size(); ++i) result.begin[i] += result.begin[i - 1];
  std::vector<std::int64_t> next(result.begin.begin(), result.begin.end() - 1);
  result.taps.resize(taps.taps.size());
  for (std::int64_t i = 0; i < taps.count(); ++i)
    for (auto k = taps.begin[static_cast<std::size_t>(i)];
         k < taps.begin[static_cast<std::size_t>(i) + 1]; ++k) {
      const Taps::Tap& tap = taps.taps[static_cast<std::size_t>(k)];
      const std::int64_t to = next[static_cast<std::size_t>(tap.source)]++;
      result.taps[static_cast<std::size_t>(to)] = {static_cast<std::int32_t>(i), tap.weight};
    }
  return result;
}

}  // namespace rill
