#pragma once

#include <cstdint>
#include <optional>
#include <source_location>
#include <string>

#include "rill/api/core/default_graph.h"

namespace rill::image {

// Colours of images, changed by an amount or a random one. Images of integers are taken as floats
// in [0, 1] meanwhile, and so are the amounts. Brightness, contrast and gamma keep integers within
// their range.
//
//   Output x = image::random_flip_left_right(image::random_brightness(picture, 0.2));

// image + delta.
Output adjust_brightness(const Input& image, const Input& delta,
                         std::source_location at = std::source_location::current());
// (x - mean) * factor + mean, with the mean of each channel of each image.
Output adjust_contrast(const Input& images, const Input& contrast_factor,
                       std::source_location at = std::source_location::current());

struct AdjustOptions {
  std::string name = {};
};
// Turns the hue of RGB images by delta, in [-1, 1], of a full circle.
Output adjust_hue(const Input& image, const Input& delta, const AdjustOptions& options = {},
                  std::source_location at = std::source_location::current());
// The saturation times the factor, of RGB images.
Output adjust_saturation(const Input& image, const Input& saturation_factor,
                         const AdjustOptions& options = {},
                         std::source_location at = std::source_location::current());
// As it looks after it was stored as JPEG of this quality, 0 to 100. One image; throws
// InvalidArgument where the number of channels is unknown.
Output adjust_jpeg_quality(const Input& image, const Input& jpeg_quality,
                           const AdjustOptions& options = {},
                           std::source_location at = std::source_location::current());

struct AdjustGammaOptions {
  Input gamma = 1, gain = 1;
};
// gain * image ** gamma. Throws InvalidArgument when gamma is known to be negative, else the step
// fails.
Output adjust_gamma(const Input& image, const AdjustGammaOptions& options = {},
                    std::source_location at = std::source_location::current());

struct RandomAdjustOptions {
  std::optional<std::int64_t> seed = {};
};
// The same by amounts between -max_delta and max_delta, or between lower and upper; one amount for
// all images of a batch. Throw InvalidArgument unless 0 <= max_delta, at most 0.5 for hues, 0 <=
// lower < upper, and qualities are in [0, 100].
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

// (x - mean) / stddev of each image, as float32; the stddev is at least 1 / sqrt(number of values),
// so one of a single colour becomes zeros.
Output per_image_standardization(const Input& image,
                                 std::source_location at = std::source_location::current());

}  // namespace rill::image
