#pragma once

#include <optional>
#include <source_location>
#include <string>
#include <vector>

#include "rill/api/core/default_graph.h"

// tf.contrib.image and tf.contrib.resampler. A projective transform is eight numbers
// [a0, a1, a2, b0, b1, b2, c0, c1]: point (x, y) of the result shows point
// ((a0 x + a1 y + a2) / k, (b0 x + b1 y + b2) / k) of the image, where k = c0 x + c1 y + 1.
namespace rill::contrib {
namespace image {

struct TransformOptions {
  std::string interpolation = "NEAREST";  // or "BILINEAR"
  OptionalInput output_shape = {};        // [height, width]; the image's when absent
  std::string name = {};
};
// Images of rank 2 (one channel), 3 or 4 (a batch), with one transform for all or one for each.
// Throws TypeError where ranks are unknown or others.
Output transform(const Input& images, const Input& transforms, const TransformOptions& options = {},
                 std::source_location at = std::source_location::current());

struct RotateOptions {
  std::string interpolation = "NEAREST";
  std::string name = {};
};
// Turned around the middle by angles in radians, against the clock.
Output rotate(const Input& images, const Input& angles, const RotateOptions& options = {},
              std::source_location at = std::source_location::current());
// Moved by [dx, dy].
Output translate(const Input& images, const Input& translations, const RotateOptions& options = {},
                 std::source_location at = std::source_location::current());

struct TransformsOptions {
  std::string name = {};
};
// The transforms that do so.
Output angles_to_projective_transforms(const Input& angles, const Input& image_height,
                                       const Input& image_width,
                                       const TransformsOptions& options = {},
                                       std::source_location at = std::source_location::current());
Output translations_to_projective_transforms(
    const Input& translations, const TransformsOptions& options = {},
    std::source_location at = std::source_location::current());

// The transform that is all of them, the last one first.
Output compose_transforms(const Inputs& transforms, const TransformsOptions& options = {},
                          std::source_location at = std::source_location::current());
// Between transforms [n, 8] and matrices [n, 3, 3].
Output flat_transforms_to_matrices(const Input& transforms, const TransformsOptions& options = {},
                                   std::source_location at = std::source_location::current());
Output matrices_to_flat_transforms(const Input& transform_matrices,
                                   const TransformsOptions& options = {},
                                   std::source_location at = std::source_location::current());

struct WarpOptions {
  std::string name = "dense_image_warp";
};
// Images [batch, height, width, channels] whose pixel (y, x) is that at (y, x) less flow's vector,
// mixed from its four neighbours; places outside count as the border. Throws InvalidArgument when
// an image has fewer than two rows or columns.
Output dense_image_warp(const Input& image, const Input& flow, const WarpOptions& options = {},
                        std::source_location at = std::source_location::current());

// For each row its column and for each column its row, -1 for those without.
struct BipartiteMatch {
  Output row_to_col_match_indices = {}, col_to_row_match_indices = {};
};
struct BipartiteMatchOptions {
  std::int64_t top_k = -1;  // above 0: that many pairs at most
  std::string name = "bipartite_match";
};
// Pairs of rows and columns of a matrix of distances, the nearest first, each in one pair at most.
// Only the first `num_valid_rows` rows are paired, all where it is negative.
BipartiteMatch bipartite_match(const Input& distance_mat, const Input& num_valid_rows,
                               const BipartiteMatchOptions& options = {},
                               std::source_location at = std::source_location::current());

}  // namespace image

namespace resampler {

struct ResamplerOptions {
  std::string name = "resampler";
};
// The values of images [batch, height, width, channels] at places (x, y) [batch, ..., 2].
// Mixed from the four neighbours; outside is 0.
Output resampler(const Input& data, const Input& warp, const ResamplerOptions& options = {},
                 std::source_location at = std::source_location::current());

}  // namespace resampler
}  // namespace rill::contrib
