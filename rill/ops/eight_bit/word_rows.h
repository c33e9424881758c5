#pragma once

#include <cstddef>
#include <cstdint>

namespace rill {

// A level of 32 bits becomes ((level * scale >> 32) + offset) >> 16, with `offset` holding half a
// unit for rounding, and stays between 0 and 255. Levels beyond `lowest` and `highest`, whose
// product with `scale` would not fit 64 bits, count as those.
struct FixedPointMove {
  std::int64_t scale = 0, offset = 0;
  std::int64_t lowest = INT32_MIN, highest = INT32_MAX;
};
void move_words(std::uint8_t* out, const std::int32_t* x, std::size_t n,
                const FixedPointMove& move);

// Widens [*least, *most] to include x.
void find_word_range(const std::int32_t* x, std::size_t n, std::int32_t* least, std::int32_t* most);

}  // namespace rill
