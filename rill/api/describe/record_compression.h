#pragma once

#include <optional>
#include <string>

#include "rill/io/zlib_stream.h"

namespace rill::describe {

// How the records of a file are packed; nothing when it is no file of records.
std::optional<Compression> record_compression(const std::string& path);

}  // namespace rill::describe
