#pragma once

#include <string_view>

#include "rill/io/picture.h"

namespace rill {

// Pictures of 8, 24 and 32 bits a pixel; those of 8 bits come as they are, without their palette.
// `channels` is 3, 4 or, for those that the file has, 0. Throws InvalidArgument when the bytes are
// no such picture.
void decode_bmp(std::string_view bytes, int channels, PlaceForPicture place);

}  // namespace rill
