#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace rill {

// Characters counted without looking at whether they are valid UTF-8: one begins at each byte that
// does not continue one, and at the first.
constexpr bool continues_character(char c) {
  return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}

inline std::int64_t count_beginnings(std::string_view text) {
  return std::ranges::count_if(text, [](char c) { return !continues_character(c); });
}

// The byte behind the character that begins at `at`.
inline std::size_t character_end(std::string_view text, std::size_t at) {
  do ++at;
  while (at < text.size() && continues_character(text[at]));
  return at;
}

}  // namespace rill
