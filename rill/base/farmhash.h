#pragma once

#include <cstdint>
#include <string_view>

namespace rill {

// FarmHash's 64-bit fingerprint, which never changes: programs keep such numbers in files.
std::uint64_t farmhash64(std::string_view bytes);

}  // namespace rill
