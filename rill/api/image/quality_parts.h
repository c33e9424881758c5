#pragma once

#include <vector>

#include "rill/api/image/quality.h"

namespace rill::image::parts {

// Two images that are compared, as floats, and their shapes.
struct Pair {
  Output first = {}, second = {};
  Output max_val = {};
};
// max_val and the images in this order.
Pair as_floats(Output first, Output second, const Input& max_val);

struct PairShapes {
  std::vector<Output> shapes = {};
  std::vector<Node*> checks = {};
};
// The shapes of two images, and operations that fail the step unless they fit together.
PairShapes compatible_shapes(Output first, Output second);

// x, once `checks` have run.
Output after(const std::vector<Node*>& checks, Output x);

struct ChannelLikeness {
  Output ssim = {}, contrast = {};  // [..., channels]
};
ChannelLikeness ssim_per_channel(const Pair& images, const SsimOptions& options);

// A convolution of each channel with filters of its own, with steps of 1 and no padding.
// `is_shape_known`: of the filter, when the node for it is made.
Output depthwise(Output images, Output filter, bool is_shape_known);

}  // namespace rill::image::parts
