#pragma once

#include <cstdint>

namespace rill {

// Traits of ops, beside those of op_decl.h, that placement and partitioning ask for.
inline constexpr std::uint32_t kMetadata = 1u << 24;  // reads a shape or a size, never elements
inline constexpr std::uint32_t kSend = 1u << 25;  // hands a value to another device or the client
inline constexpr std::uint32_t kRecv = 1u << 26;  // brings such a value

}  // namespace rill
