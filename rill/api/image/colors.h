#pragma once

#include <source_location>
#include <string>

#include "rill/api/core/default_graph.h"

namespace rill::image {

struct ConvertImageDtypeOptions {
  bool saturate = false;  // values beyond the range of integers become its ends
  std::string name = {};
};
// An image of another type. Floats are in [0, 1], integers from 0 to their largest number, and
// values are scaled between these. Without saturate a float beyond [0, 1] overflows as casts do.
// Throws InvalidArgument for types that are neither.
Output convert_image_dtype(const Input& image, DType dtype,
                           const ConvertImageDtypeOptions& options = {},
                           std::source_location at = std::source_location::current());

struct ColorOptions {
  std::string name = {};
};
// Between three channels and one: 0.2989 R + 0.587 G + 0.114 B, and three copies. Throws
// InvalidArgument when the last dimension is known to have another size.
Output rgb_to_grayscale(const Input& images, const ColorOptions& options = {},
                        std::source_location at = std::source_location::current());
Output grayscale_to_rgb(const Input& images, const ColorOptions& options = {},
                        std::source_location at = std::source_location::current());

// Between red, green and blue and the colours of television: brightness first. Of floats of known
// rank; InvalidArgument otherwise.
Output rgb_to_yuv(const Input& images, std::source_location at = std::source_location::current());
Output yuv_to_rgb(const Input& images, std::source_location at = std::source_location::current());
Output rgb_to_yiq(const Input& images, std::source_location at = std::source_location::current());
Output yiq_to_rgb(const Input& images, std::source_location at = std::source_location::current());

}  // namespace rill::image
