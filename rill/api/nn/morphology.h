#pragma once

#include <cstdint>
#include <source_location>
#include <string>
#include <vector>

#include "rill/api/core/default_graph.h"

namespace rill::nn {

struct MorphologyOptions {
  std::string name{};
};
// The largest sum of a window and the filter, for each channel of images: out = max over (dy, dx)
// of x[y + rate dy, x + rate dx] + filter[dy, dx]. The filter is [height, width, channels]; strides
// and rates have four elements.
Output dilation2d(const Input& input, const Input& filter, const std::vector<std::int64_t>& strides,
                  const std::vector<std::int64_t>& rates, const std::string& padding,
                  const MorphologyOptions& options = {},
                  std::source_location at = std::source_location::current());
// The smallest difference of a window and the kernel: minus the dilation of minus the image with
// the kernel turned round.
Output erosion2d(const Input& value, const Input& kernel, const std::vector<std::int64_t>& strides,
                 const std::vector<std::int64_t>& rates, const std::string& padding,
                 const MorphologyOptions& options = {},
                 std::source_location at = std::source_location::current());

}  // namespace rill::nn
