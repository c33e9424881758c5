#pragma once

#include <cstdint>
#include <optional>
#include <source_location>
#include <string>

#include "rill/api/core/default_graph.h"

namespace rill::image {

// Colours of images, changed by an amount or a random one. Images of integers are taken as floats
// in [0, 1] meanwhile.

Output adjust_brightness(const Input& image, const Input& delta,
                         std::source_location at = std::source_location::current());
Output adjust_contrast(const Input& images, const Input& contrast_factor,
                       std::source_location at = std::source_location::current());

struct AdjustOptions {
  std::string name;
};
Output adjust_hue(const Input& image, const Input& delta, const AdjustOptions& options = {},
                  std::source_location at = std::source_location::current());
Output adjust_saturation(const Input& image, const Input& saturation_factor,
                         const AdjustOptions& options = {},
                         std::source_location at = std::source_location::current());
// As it looks after it was stored as JPEG of this quality, 0 to 100.
Output adjust_jpeg_quality(const Input& image, const Input& jpeg_quality,
                           const AdjustOptions& options = {},
                           std::source_location at = std::source_location::current());

struct AdjustGammaOptions {
  Input gamma = 1, gain = 1;
};
// gain * image ** gamma. Throws InvalidArgument when gamma is known to be negative.
Output adjust_gamma(const Input& image, const AdjustGammaOptions& options = {},
                    std::source_location at = std::source_location::current());

struct RandomAdjustOptions {
  std::optional<std::int64_t> seed;
};
// The same by amounts between -max_delta and max_delta, or between lower and upper. Throw
// InvalidArgument when the bounds make no sense.
Output random_brightness(const Input& image, double max_delta,
                         const RandomAdjustOptions& options = {},
                         std::source_location at = std::source_location::current());
Output random_contrast(const Input& image, double lower, double upper,
                       const RandomAdjustOptions& options = {},
                       std::source_location at = std::source_location::current());
Output random_hue(const Input& image, double max_delta, const RandomAdjustOptions& options = {},
                  std::source_location at = std::source_location::current());
Output random_saturation(const Input& image, double lower, double upper,
                         const RandomAdjustOptions& options = {},
                         std::source_location at = std::source_location::current());
Output random_jpeg_quality(const Input& image, std::int64_t min_jpeg_quality,
                           std::int64_t max_jpeg_quality, const RandomAdjustOptions& options = {},
                           std::source_location at = std::source_location::current());

// Each image with mean 0 and variance 1; one of a single colour becomes zeros.
Output per_image_standardization(const Input& image,
                                 std::source_location at = std::source_location::current());

}  // namespace rill::image
