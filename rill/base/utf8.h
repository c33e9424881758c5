#pragma once

#include <cstdint>
#include <string>

namespace rill {

// Appends the UTF-8 form of the character of this number, which is below 0x110000.
inline void append_utf8(std::uint32_t code, std::string* text) {
  const auto tail = [&](int shift) { *text += static_cast<char>(0x80 | (code >> shift & 0x3f)); };
  if (code < 0x80) {
    *text += static_cast<char>(code);
  } else if (code < 0x800) {
    *text += static_cast<char>(0xc0 | code >> 6);
    tail(0);
  } else if (code < 0x10000) {
    *text += static_cast<char>(0xe0 | code >> 12);
    tail(6), tail(0);
  } else {
    *text += static_cast<char>(0xf0 | code >> 18);
    tail(12), tail(6), tail(0);
  }
}

}  // namespace rill
