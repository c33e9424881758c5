#include "rill/ops/image/random_part.h"

namespace rill {
namespace {

// No side is longer than this, so that products of two sides fit.
constexpr float kLongest = 2147483648.0F;
std::int64_t rounded(float x) { return x < kLongest ? std::lrint(x) : std::lrint(kLongest); }
std::uint32_t word(std::int64_t x) { return static_cast<std::uint32_t>(x); }

// The greatest height at which the rounded width fits.
std::int64_t max_height(std::int64_t width, std::int64_t height, float ratio, float max_area) {
  std::int64_t most = rounded(std::sqrt(max_area / ratio));
  if (rounded(static_cast<float>(most) * ratio) > width) {
    const double fits = (static_cast<double>(width) + 0.5 - static_cast<double>(0.0000001F)) /
                        static_cast<double>(ratio);
    most = static_cast<std::int64_t>(std::min(fits, static_cast<double>(height)));
  }
  return std::min(most, height);
}

}  // namespace

bool PartRule::draw(std::int64_t width, std::int64_t height, float ratio, PhiloxWords& words,
                    PixelBox* part) const {
  if (!(ratio > 0) || width <= 0 || height <= 0 || min_area > max_area) return false;
  const auto whole = static_cast<float>(width) * static_cast<float>(height);
  const float least = min_area * whole, most = max_area * whole;
  const std::int64_t highest = max_height(width, height, ratio, most);
  std::int64_t high = std::min(rounded(std::sqrt(least / ratio)), highest);
  if (high < highest) high += words.below(word(highest - high + 1));
  std::int64_t wide;
  const auto area_at = [&](std::int64_t of_height) {
    high = of_height;
    wide = rounded(static_cast<float>(high) * ratio);
    return static_cast<float>(wide * high);
  };
  // Rounding may lead out of the bounds by a little.
  float area = area_at(high);
  if (area < least) area = area_at(high + 1);
  if (area > most) area = area_at(high - 1);
  if (area < least || area > most || wide > width || high > height || wide <= 0 || high <= 0)
    return false;
  std::int64_t top = 0, left = 0;
  if (high < height) top = words.below(word(height - high));
  if (wide < width) left = words.below(word(width - wide));
  *part = {left, top, left + wide, top + high};
  return true;
}

bool covers_enough(const PixelBox& part, std::span<const PixelBox> boxes, float least) {
  constexpr float kPixel = 1;
  if (part.area() < kPixel) return false;
  return std::ranges::any_of(boxes, [&](const PixelBox& box) {
    return box.area() >= kPixel && part.shared_with(box).area() / box.area() >= least;
  });
}

}  // namespace rill
