#pragma once

#include <cstdint>
#include <optional>
#include <source_location>
#include <string>

#include "rill/api/core/default_graph.h"

// Images are [height, width, channels] or a batch of such in front.
namespace rill::image {

// Mirrored. Throw InvalidArgument when `image` is known to be no image.
Output flip_left_right(const Input& image,
                       std::source_location at = std::source_location::current());
Output flip_up_down(const Input& image, std::source_location at = std::source_location::current());

struct RandomFlipOptions {
  std::optional<std::int64_t> seed = {};
};
// Mirrored or not, with probability 1/2, each image of a batch on its own.
Output random_flip_left_right(const Input& image, const RandomFlipOptions& options = {},
                              std::source_location at = std::source_location::current());
Output random_flip_up_down(const Input& image, const RandomFlipOptions& options = {},
                           std::source_location at = std::source_location::current());

struct TransposeImageOptions {
  std::string name = {};
};
// With rows and columns exchanged.
Output transpose(const Input& image, const TransposeImageOptions& options = {},
                 std::source_location at = std::source_location::current());
inline Output transpose_image(const Input& image, const TransposeImageOptions& options = {},
                              std::source_location at = std::source_location::current()) {
  return transpose(image, options, at);
}

struct Rot90Options {
  Input k = 1;  // how many quarter turns against the clock
  std::string name = {};
};
Output rot90(const Input& image, const Rot90Options& options = {},
             std::source_location at = std::source_location::current());

}  // namespace rill::image
