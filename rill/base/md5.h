#pragma once

#include <string>
#include <string_view>

namespace rill {

// The MD5 sum of some bytes in hexadecimal digits. For names and seeds that must be those of other
// programs, never for security.
std::string md5_hex(std::string_view bytes);

}  // namespace rill
