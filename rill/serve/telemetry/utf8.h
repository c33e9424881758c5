#pragma once

#include <string>
#include <string_view>

namespace rill::serve {

// The text with U+FFFD in place of every byte that belongs to no character: what clients named may
// be any bytes, and JSON is UTF-8.
std::string valid_utf8(std::string_view text);

// At most so many bytes from the front, with no character cut through.
std::string_view utf8_prefix(std::string_view text, std::size_t max_bytes);

}  // namespace rill::serve
