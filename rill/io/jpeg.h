#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "rill/io/picture.h"

namespace rill {

enum class JpegDct { kFast, kAccurate };

struct JpegWindow {
  std::int64_t y = 0, x = 0, height = 0, width = 0;
};

struct JpegReading {
  int channels = 0;  // 1, 3, or 0: as the file has it, CMYK as RGB
  int ratio = 1;     // 1, 2, 4 or 8: the picture is made this much smaller
  bool fancy_upscaling = true;
  bool try_recover_truncated = false;   // what is missing becomes grey
  float acceptable_fraction = 1;        // of rows, where the data ends; the rest is black then
  JpegDct dct = JpegDct::kFast;         // TensorFlow's default
  std::optional<JpegWindow> crop = {};  // only this part is decoded
};

// All throw InvalidArgument when the bytes are no JPEG, or not enough of one.
PictureSize jpeg_size(std::string_view bytes);
void decode_jpeg(std::string_view bytes, const JpegReading& how, PlaceForPicture place);

struct JpegWriting {
  int quality = 95;  // 0 to 100
  bool progressive = false, optimize_size = false, chroma_downsampling = true;
  bool density_in_cm = false;  // else in inches
  int x_density = 300, y_density = 300;
  std::string_view xmp_metadata = {};
};

// A picture of 1 or 3 channels as a JPEG; throws InvalidArgument when a size does not fit the
// format.
std::string encode_jpeg(const Picture& picture, const JpegWriting& how);

}  // namespace rill
