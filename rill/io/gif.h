#pragma once

#include <string_view>

#include "rill/io/picture.h"

namespace rill {

// All frames as RGB, each drawn over the one before it: pixels that it leaves out or that are
// transparent stay as they were, and are black in the first one. A file that breaks off gives the
// frames before that place, which `place` may be asked for anew. Throws InvalidArgument when the
// bytes are no GIF or have no whole frame.
void decode_gif(std::string_view bytes, PlaceForPicture place);

}  // namespace rill
