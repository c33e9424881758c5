#pragma once

#include <string_view>

#include "rill/io/picture.h"

namespace rill {

// Reads a PNG that needs no conversion: 8 bits a sample, no palette, not interlaced, with as many
// channels as are asked for. False, before it asks for the place, for every other and for all that
// are not in perfect order: libpng decides about those.
bool decode_plain_png(std::string_view bytes, int channels, PlaceForPicture place);

}  // namespace rill
