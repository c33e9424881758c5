#pragma once

#include <string>
#include <string_view>

namespace rill {

// The SHA-256 sum of some bytes in hexadecimal digits.
std::string sha256_hex(std::string_view bytes);

}  // namespace rill
