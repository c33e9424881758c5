#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

namespace rill {

// FarmHash's 64-bit fingerprint, which never changes: programs keep such numbers in files.
std::uint64_t farmhash64(std::string_view bytes);

// The 128-bit fingerprint, which is CityHash's: the lower half first.
std::pair<std::uint64_t, std::uint64_t> farmhash128(std::string_view bytes);

}  // namespace rill
