#include "rill/base/text.h"

#include <cstdio>

namespace rill {

std::string Text::float_text(double f) {
  char digits[32];
  return {digits, static_cast<std::size_t>(std::snprintf(digits, sizeof digits, "%g", f))};
}

std::string concat(std::initializer_list<std::string_view> pieces) {
  std::size_t size = 0;
  for (auto piece : pieces) size += piece.size();
  std::string all;
  all.reserve(size);
  for (auto piece : pieces) all += piece;
  return all;
}

std::string join(const std::vector<std::string>& items, std::string_view separator) {
  std::string all;
  for (const auto& item : items) {
    if (!all.empty() || &item != items.data()) all += separator;
    all += item;
  }
  return all;
}

std::vector<std::string_view> split(std::string_view s, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0;;) {
    const auto end = s.find(separator, begin);
    parts.push_back(s.substr(begin, end - begin));
    if (end == s.npos) return parts;
    begin = end + 1;
  }
}

std::string_view strip(std::string_view s) {
  constexpr std::string_view kSpace = " \t\r\n";
  const auto begin = s.find_first_not_of(kSpace);
  if (begin == s.npos) return {};
  return s.substr(begin, s.find_last_not_of(kSpace) - begin + 1);
}

std::string lower(std::string_view s) {
  std::string out(s);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

std::string quoted(std::string_view bytes) {
  std::string out = "\"";
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n' || c == '\r' || c == '\t') {
      out += '\\';
      out += c == '\n' ? 'n' : c == '\r' ? 'r' : 't';
    } else if (byte < 0x20 || byte >= 0x7f) {
      char octal[8];
      std::snprintf(octal, sizeof octal, "\\%03o", byte);
      out += octal;
    } else {
      out += c;
    }
  }
  return out + '"';
}

bool parse_int(std::string_view s, long long* value) {
  const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), *value);
  return error == std::errc() && end == s.data() + s.size() && !s.empty();
}

bool parse_float(std::string_view s, double* value) {
  const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), *value);
  return error == std::errc() && end == s.data() + s.size() && !s.empty();
}

}  // namespace rill
