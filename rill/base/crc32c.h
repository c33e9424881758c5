#pragma once

#include <cstdint>
#include <string_view>

namespace rill {

// CRC-32C (Castagnoli) of `bytes`, going on from the checksum of what stands before them.
std::uint32_t extend_crc32c(std::uint32_t crc, std::string_view bytes);
inline std::uint32_t crc32c(std::string_view bytes) { return extend_crc32c(0, bytes); }

// The same by tables alone, for processors without the instruction.
std::uint32_t extend_crc32c_by_table(std::uint32_t crc, std::string_view bytes);

// Files store checksums in this form: a checksum of bytes that hold their own checksum says little.
constexpr std::uint32_t kCrcMaskDelta = 0xa282ead8u;
constexpr std::uint32_t mask_crc(std::uint32_t crc) {
  return ((crc >> 15) | (crc << 17)) + kCrcMaskDelta;
}
constexpr std::uint32_t unmask_crc(std::uint32_t masked) {
  const std::uint32_t rotated = masked - kCrcMaskDelta;
  return (rotated >> 17) | (rotated << 15);
}

}  // namespace rill
