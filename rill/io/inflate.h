#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

#include "rill/io/zlib_stream.h"

namespace rill {

// What `packed`, a whole stream in memory, unpacks to; nothing unpacks to nothing. As in
// TensorFlow, several GZIP streams in a row are one, and what follows a ZLIB stream is not looked
// at. Throws DataLoss ("inflate() failed with error ...") with the offset where the bytes go wrong
// or end early, ResourceExhausted when it becomes more than `max_bytes`.
std::string inflated(std::string_view packed, Compression compression,
                     std::size_t max_bytes = std::numeric_limits<std::size_t>::max());

}  // namespace rill
