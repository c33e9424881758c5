#include <charconv>

#include "rill/base/error.h"
#include "rill/graph/attr_text.h"

namespace rill {
namespace {

bool is_word_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == '+' || c == '-';
}

// Takes the digits of a numeric escape (at most `max_digits`) off `s`; -1 when there are none.
int take_number(std::string_view& s, int base, std::size_t max_digits) {
  int value = 0;
  const char* begin = s.data();
  const auto [end, error] =
      std::from_chars(begin, begin + std::min(max_digits, s.size()), value, base);
  if (error != std::errc() || value < 0) return -1;
  s.remove_prefix(static_cast<std::size_t>(end - begin));
  return value;
}

// The character after a backslash, taken off `s`; -1 when it is no known escape.
int take_escape(std::string_view& s) {
  if (s.empty()) return -1;
  if (s[0] >= '0' && s[0] <= '7') return take_number(s, 8, 3);
  const char c = s[0];
  s.remove_prefix(1);
  if (c == 'x') return take_number(s, 16, 2);
  constexpr std::string_view kNames = "ntrabfv\\'\"?", kMeanings = "\n\t\r\a\b\f\v\\'\"?";
  const auto at = kNames.find(c);
  return at == kNames.npos ? -1 : static_cast<unsigned char>(kMeanings[at]);
}

}  // namespace

void TextScanner::skip_space() {
  while (!rest_.empty() && std::string_view(" \t\r\n").find(rest_[0]) != std::string_view::npos)
    rest_.remove_prefix(1);
}

bool TextScanner::done() {
  skip_space();
  return rest_.empty();
}

bool TextScanner::peek(char c) {
  skip_space();
  return !rest_.empty() && rest_[0] == c;
}

bool TextScanner::accept(std::string_view symbol) {
  skip_space();
  if (!rest_.starts_with(symbol)) return false;
  rest_.remove_prefix(symbol.size());
  return true;
}

void TextScanner::expect(std::string_view symbol) {
  if (!accept(symbol)) fail(str_cat("'", symbol, "'"));
}

std::string_view TextScanner::word() {
  skip_space();
  std::size_t size = 0;
  while (size < rest_.size() && is_word_char(rest_[size])) ++size;
  if (size == 0) fail("a word");
  const auto word = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return word;
}

std::string TextScanner::quoted_string() {
  if (!at_string()) fail("a string");
  const char quote = rest_[0];
  rest_.remove_prefix(1);
  std::string value;
  while (!rest_.empty() && rest_[0] != quote) {
    int c = static_cast<unsigned char>(rest_[0]);
    rest_.remove_prefix(1);
    if (c == '\\') c = take_escape(rest_);
    if (c < 0 || c > 255) fail("an escape sequence");
    value += static_cast<char>(c);
  }
  if (rest_.empty()) fail("the end of the string");
  rest_.remove_prefix(1);
  return value;
}

void TextScanner::fail(std::string_view wanted) {
  raise(Code::kInvalidArgument, "expected ", wanted, " before '", rest_, "' in \"", text_, "\"");
}

}  // namespace rill
