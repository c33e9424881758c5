#include "rill/ops/string/text_encoding.h"

#include "rill/base/error.h"

namespace rill {
namespace {

bool is_high_surrogate(char32_t c) { return c >= 0xd800 && c < 0xdc00; }
bool is_low_surrogate(char32_t c) { return c >= 0xdc00 && c < 0xe000; }

void append_utf8(char32_t c, std::string& out) {
  const auto put = [&](char32_t byte) { out += static_cast<char>(byte); };
  if (c < 0x80) return put(c);
  if (is_high_surrogate(c) || is_low_surrogate(c)) c = 0xfffd;
  if (c < 0x800) {
    put(0xc0 | c >> 6);
  } else {
    if (c < 0x10000) {
      put(0xe0 | c >> 12);
    } else {
      put(0xf0 | c >> 18);
      put(0x80 | (c >> 12 & 0x3f));
    }
    put(0x80 | (c >> 6 & 0x3f));
  }
  put(0x80 | (c & 0x3f));
}

void append_unit(char32_t unit, int byte_count, std::string& out) {
  for (int i = byte_count - 1; i >= 0; --i) out += static_cast<char>(unit >> (8 * i) & 0xff);
}

void append_utf16(char32_t c, std::string& out) {
  if (c < 0x10000) return append_unit(c, 2, out);
  append_unit(0xd800 + ((c - 0x10000) >> 10), 2, out);
  append_unit(0xdc00 + ((c - 0x10000) & 0x3ff), 2, out);
}

}  // namespace

TextEncoding text_encoding(std::string_view name) {
  if (name == "UTF-8") return TextEncoding::kUtf8;
  if (name == "UTF-16-BE") return TextEncoding::kUtf16Be;
  if (name == "UTF-32-BE") return TextEncoding::kUtf32Be;
  raise(Code::kInvalidArgument, "Invalid encoding \"", name,
        "\": Should be one of: UTF-8, UTF-16-BE, UTF-32-BE");
}

void append_encoded(std::u32string_view text, TextEncoding encoding, std::string& out) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    char32_t c = text[i];
    if (is_high_surrogate(c) && i + 1 < text.size() && is_low_surrogate(text[i + 1]))
      c = 0x10000 + ((c - 0xd800) << 10) + (text[++i] - 0xdc00);
    switch (encoding) {
      case TextEncoding::kUtf8:
        append_utf8(c, out);
        break;
      case TextEncoding::kUtf16Be:
        append_utf16(c, out);
        break;
      case TextEncoding::kUtf32Be:
        append_unit(c, 4, out);
        break;
    }
  }
}

}  // namespace rill
