#include "rill/board/data/json_out.h"

#include <charconv>
#include <cmath>

#include "rill/base/json.h"

namespace rill::board {
namespace {

// How many bytes the character at the front takes; 0 if it is broken.
std::size_t character_size(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t size = first >= 0xc2 && first < 0xe0   ? 2
                           : first >= 0xe0 && first < 0xf0 ? 3
                           : first >= 0xf0 && first < 0xf5 ? 4
                                                           : 0;
  if (size == 0 || text.size() < size) return 0;
  for (std::size_t i = 1; i < size; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  if (first == 0xe0 && byte(1) < 0xa0) return 0;  // longer than it need be
  if (first == 0xed && byte(1) > 0x9f) return 0;  // halves of characters
  if (first == 0xf0 && byte(1) < 0x90) return 0;
  if (first == 0xf4 && byte(1) > 0x8f) return 0;  // beyond the last
  return size;
}

bool is_plain(std::string_view text) {
  for (const char c : text)
    if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f || c == '"' ||
        c == '\\')
      return false;
  return true;
}

}  // namespace

std::string valid_utf8(std::string_view text) {
  std::string valid;
  valid.reserve(text.size());
  while (!text.empty()) {
    const std::size_t size = character_size(text);
    if (size > 0)
      valid += text.substr(0, size);
    else
      valid += "\xef\xbf\xbd";
    text.remove_prefix(size > 0 ? size : 1);
  }
  return valid;
}

std::string python_float(double value) {
  char digits[32];
  std::string text(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
  if (std::isfinite(value) && text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

void JsonOut::begin_value() {
  if (needs_comma_) out_ += ',';
  needs_comma_ = true;
}

JsonOut& JsonOut::open(char bracket) {
  begin_value();
  out_ += bracket;
  needs_comma_ = false;
  return *this;
}

JsonOut& JsonOut::close(char bracket) {
  out_ += bracket;
  needs_comma_ = true;
  return *this;
}

JsonOut& JsonOut::key(std::string_view name) {
  text(name);
  out_ += ':';
  needs_comma_ = false;
  return *this;
}

JsonOut& JsonOut::text(std::string_view text) {
  begin_value();
  if (is_plain(text)) {
    out_ += '"';
    out_ += text;
    out_ += '"';
  } else {
    out_ += json_quoted(valid_utf8(text));
  }
  return *this;
}

JsonOut& JsonOut::number(double value) {
  if (std::isnan(value)) return text("NaN");
  if (std::isinf(value)) return text(value > 0 ? "Infinity" : "-Infinity");
  begin_value();
  char digits[32];
  out_.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
  return *this;
}

JsonOut& JsonOut::integer(std::int64_t value) {
  begin_value();
  char digits[24];
  out_.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
  return *this;
}

JsonOut& JsonOut::raw(std::string_view json) {
  begin_value();
  out_ += json;
  return *this;
}

}  // namespace rill::board
