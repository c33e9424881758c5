#pragma once

#include <source_location>
#include <string>
#include <utility>

#include "rill/api/core/default_graph.h"

namespace rill::image {

// How pixels differ from their neighbours.

struct TotalVariationOptions {
  std::string name = {};
};
// The sum of all |differences| to the next row and column, one number for each image. Throws
// InvalidArgument unless the rank is 3 or 4.
Output total_variation(const Input& images, const TotalVariationOptions& options = {},
                       std::source_location at = std::source_location::current());

// Edges along y and x, in a new last dimension; `image` is a batch. Borders are mirrored.
Output sobel_edges(const Input& image, std::source_location at = std::source_location::current());

// The differences to the pixel below and to the right, 0 at the border; `image` is a batch.
// Throws InvalidArgument when it is known not to be.
std::pair<Output, Output> image_gradients(
    const Input& image, std::source_location at = std::source_location::current());

}  // namespace rill::image
