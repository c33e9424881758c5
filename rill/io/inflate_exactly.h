#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace rill {

// How many bytes behind `packed` may be read and behind `out` may be written.
inline constexpr std::size_t kInflateMargin = 320;

// Unpacks a ZLIB stream that becomes `size` bytes, faster than zlib, which cannot know that. False
// for every other stream: `out` holds anything then, and whoever needs to say what is wrong asks
// zlib.
bool inflate_exactly(std::span<const std::uint8_t> packed, std::uint8_t* out, std::size_t size);

}  // namespace rill
