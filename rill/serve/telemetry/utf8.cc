#include "rill/serve/telemetry/utf8.h"

#include <cstdint>

namespace rill::serve {
namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";

bool is_tail(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

// How many bytes the character at the front has; 0 when there is none.
std::size_t character_size(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) return 1;
  const std::size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || size > text.size()) return 0;
  std::uint32_t character = first & (0xff >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    if (!is_tail(text[i])) return 0;
    character = character << 6 | (static_cast<unsigned char>(text[i]) & 0x3f);
  }
  constexpr std::uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_half = character >= 0xd800 && character < 0xe000;
  return character < kSmallest[size] || character > 0x10ffff || is_half ? 0 : size;
}

}  // namespace

std::string valid_utf8(std::string_view text) {
  std::string valid;
  while (!text.empty()) {
    const std::size_t size = character_size(text);
    valid += size == 0 ? kReplacement : text.substr(0, size);
    text.remove_prefix(size == 0 ? 1 : size);
  }
  return valid;
}

std::string_view utf8_prefix(std::string_view text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return text;
  std::size_t end = max_bytes;
  while (end > 0 && is_tail(text[end])) --end;
  return text.substr(0, end);
}

}  // namespace rill::serve
