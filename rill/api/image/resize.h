#pragma once

#include <source_location>
#include <string>

#include "rill/api/core/default_graph.h"

namespace rill::image {

// How pixels between those of an image are found.
enum class ResizeMethod { BILINEAR = 0, NEAREST_NEIGHBOR = 1, BICUBIC = 2, AREA = 3 };

struct ResizeImagesOptions {
  ResizeMethod method = ResizeMethod::BILINEAR;
  bool align_corners = false;          // the corners' pixels keep their values
  bool preserve_aspect_ratio = false;  // the largest that fits into `size`
  std::string name = {};
};
// `size` is [new height, new width]. The result is float32, but of NEAREST_NEIGHBOR, and of an
// image that has the size already, of the type of `images`. Throws InvalidArgument when the rank is
// not 3 or 4 or the size no two int32.
Output resize_images(const Input& images, const Input& size,
                     const ResizeImagesOptions& options = {},
                     std::source_location at = std::source_location::current());
inline Output resize(const Input& images, const Input& size,
                     const ResizeImagesOptions& options = {},
                     std::source_location at = std::source_location::current()) {
  return resize_images(images, size, options, at);
}

struct ResizeImageWithPadOptions {
  ResizeMethod method = ResizeMethod::BILINEAR;
  bool align_corners = false;
};
// The largest that fits into the size with the same proportions, with zeros around it.
Output resize_image_with_pad(const Input& image, const Input& target_height,
                             const Input& target_width,
                             const ResizeImageWithPadOptions& options = {},
                             std::source_location at = std::source_location::current());

}  // namespace rill::image
