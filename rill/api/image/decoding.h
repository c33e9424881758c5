#pragma once

#include <cstdint>
#include <source_location>
#include <string>

#include "rill/api/core/default_graph.h"

namespace rill::image {

struct IsJpegOptions {
  std::string name = {};
};
// Whether a file's bytes begin as JPEG does.
Output is_jpeg(const Input& contents, const IsJpegOptions& options = {},
               std::source_location at = std::source_location::current());

struct DecodeImageOptions {
  std::int64_t channels = 0;  // of the result: 1, 3, 4, or 0 as in the file
  DType dtype = DType::u8;
  std::string name = {};
  bool expand_animations = true;  // false: of a GIF only the first picture
};
// The picture of a JPEG, PNG, GIF or BMP file, by its first bytes, whatever its name; a GIF's is a
// batch [pictures, height, width, 3]. The rank is therefore unknown: set expand_animations to false
// before resize(). The step fails on other bytes, and for channels that a format does not have. A
// float dtype gives values in [0, 1].
Output decode_image(const Input& contents, const DecodeImageOptions& options = {},
                    std::source_location at = std::source_location::current());

}  // namespace rill::image
