#pragma once

// tf.image in one header.

// IWYU pragma: begin_exports
#include "rill/api/gen/plain_image.h"
#include "rill/api/image/adjust.h"
#include "rill/api/image/boxes.h"
#include "rill/api/image/colors.h"
#include "rill/api/image/crops.h"
#include "rill/api/image/decoding.h"
#include "rill/api/image/differences.h"
#include "rill/api/image/flips.h"
#include "rill/api/image/quality.h"
#include "rill/api/image/resize.h"
#include "rill/api/random/random_ops.h"
// IWYU pragma: end_exports

namespace rill::image {
using rill::random_crop;

// extract_patches under its older name.
inline Output extract_image_patches(const Input& images, const std::vector<std::int64_t>& ksizes,
                                    const std::vector<std::int64_t>& strides,
                                    const std::vector<std::int64_t>& rates,
                                    const std::string& padding,
                                    const ExtractPatchesOptions& options = {},
                                    std::source_location at = std::source_location::current()) {
  return extract_patches(images, ksizes, strides, rates, padding, options, at);
}
}  // namespace rill::image
namespace rill::io {
using image::decode_image;
using image::is_jpeg;
}  // namespace rill::io
