#pragma once

#include <cstdint>
#include <source_location>
#include <string>
#include <vector>

#include "rill/api/nn/window_sizes.h"

namespace rill::nn {

// The largest element, or the mean, of each window of images, sequences or volumes. Sizes and
// strides are those of space, or of all dimensions. All throw InvalidArgument where these do not
// fit.
// Padding "SAME" or "VALID" as convolutions have it; numbers throw TypeError. Padding counts
// neither in the largest element nor in the mean.
//
//   nn::max_pool(images, 2, 2, "SAME");  // half the size
struct PoolOptions {
  std::string data_format{};  // channels last
  std::string name{};
};
Output max_pool(const Input& value, const Sizes& ksize, const Sizes& strides,
                const Padding& padding, const PoolOptions& options = {},
                std::source_location at = std::source_location::current());
Output max_pool1d(const Input& input, const Sizes& ksize, const Sizes& strides,
                  const Padding& padding, const PoolOptions& options = {},
                  std::source_location at = std::source_location::current());
Output max_pool2d(const Input& input, const Sizes& ksize, const Sizes& strides,
                  const Padding& padding, const PoolOptions& options = {},
                  std::source_location at = std::source_location::current());
Output max_pool3d(const Input& input, const Sizes& ksize, const Sizes& strides,
                  const Padding& padding, const PoolOptions& options = {},
                  std::source_location at = std::source_location::current());
Output avg_pool(const Input& value, const Sizes& ksize, const Sizes& strides,
                const Padding& padding, const PoolOptions& options = {},
                std::source_location at = std::source_location::current());
Output avg_pool1d(const Input& input, const Sizes& ksize, const Sizes& strides,
                  const Padding& padding, const PoolOptions& options = {},
                  std::source_location at = std::source_location::current());
Output avg_pool3d(const Input& input, const Sizes& ksize, const Sizes& strides,
                  const Padding& padding, const PoolOptions& options = {},
                  std::source_location at = std::source_location::current());
inline constexpr auto& avg_pool2d = avg_pool;

// Whichever of these the rank of the input, or else the data format, asks for.
Output max_pool_v2(const Input& input, const Sizes& ksize, const Sizes& strides,
                   const Padding& padding, const PoolOptions& options = {},
                   std::source_location at = std::source_location::current());
Output avg_pool_v2(const Input& input, const Sizes& ksize, const Sizes& strides,
                   const Padding& padding, const PoolOptions& options = {},
                   std::source_location at = std::source_location::current());

struct GeneralPoolOptions {
  Sizes dilation_rate{};
  Sizes strides{};
  std::string data_format{};
  std::string name{};
};
// Over as many dimensions as the window has; `pooling_type` is "MAX" or "AVG". The elements of a
// window lie `dilation_rate` apart. Throws InvalidArgument for strides larger than the window, and
// for a dilation together with strides or with "SAME".
Output pool(const Input& input, const std::vector<std::int64_t>& window_shape,
            const std::string& pooling_type, const Padding& padding,
            const GeneralPoolOptions& options = {},
            std::source_location at = std::source_location::current());

}  // namespace rill::nn
