#pragma once

#include <cstdint>

namespace rill {

// The CRC-32C of two pieces of bytes one after the other, from that of each: pieces can be summed
// at the same time.
std::uint32_t join_crc32c(std::uint32_t first, std::uint32_t second, std::uint64_t second_size);

}  // namespace rill
