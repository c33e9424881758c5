#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace rill {

// The encodings that text is written in.
enum class TextEncoding : std::uint8_t { kUtf8, kUtf16Be, kUtf32Be };

TextEncoding text_encoding(std::string_view name);  // throws InvalidArgument for an unknown one

// Appends a text of characters up to U+10FFFF. Two surrogates that make a pair are one character; a
// single one becomes U+FFFD in UTF-8 and is written as it is in the others.
void append_encoded(std::u32string_view text, TextEncoding encoding, std::string& out);

}  // namespace rill
