#pragma once

#include <string>
#include <string_view>

#include "rill/io/picture.h"

namespace rill {

// Reads a PNG as `channels` channels (0: as the file has them) of 8 or 16 bits. Throws
// InvalidArgument when the bytes are no PNG.
void decode_png(std::string_view bytes, int channels, int bits, PlaceForPicture place);

// The picture as a PNG. Throws InvalidArgument when a size is not positive or beyond what the
// format allows, or the samples do not fill the picture. `compression` is zlib's level, 0 to 9, or
// -1 for its default.
std::string encode_png(const Picture& picture, int compression = -1);

}  // namespace rill
