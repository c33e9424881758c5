#pragma once

#include <source_location>

#include "rill/api/core/default_graph.h"

namespace rill::image {

// Parts of images, and images with zeros around them. Offsets and sizes are numbers or scalars of
// int32; what is known to be outside of the image throws InvalidArgument at once, the rest fails
// the step.

// The middle of each image, with this share of its height and width. Throws InvalidArgument unless
// the share is in (0, 1] and the rank 3 or 4.
Output central_crop(const Input& image, double central_fraction,
                    std::source_location at = std::source_location::current());

// Cropping takes target_height rows from row offset_height on, and so for columns; padding puts the
// image at that offset of one of the target's size, which must hold it.
Output crop_to_bounding_box(const Input& image, const Input& offset_height,
                            const Input& offset_width, const Input& target_height,
                            const Input& target_width,
                            std::source_location at = std::source_location::current());
Output pad_to_bounding_box(const Input& image, const Input& offset_height,
                           const Input& offset_width, const Input& target_height,
                           const Input& target_width,
                           std::source_location at = std::source_location::current());

// Cropped and padded around the middle to this size.
Output resize_image_with_crop_or_pad(const Input& image, const Input& target_height,
                                     const Input& target_width,
                                     std::source_location at = std::source_location::current());
inline Output resize_with_crop_or_pad(const Input& image, const Input& target_height,
                                      const Input& target_width,
                                      std::source_location at = std::source_location::current()) {
  return resize_image_with_crop_or_pad(image, target_height, target_width, at);
}

}  // namespace rill::image
