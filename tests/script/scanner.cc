#include "tests/script/scanner.h"

#include <cctype>

#include "rill/base/error.h"

namespace rill::script {
namespace {

bool starts_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool in_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '/' || c == '.' ||
         c == '-';
}
bool in_number(char c) { return in_name(c) || c == '+'; }

template <class Predicate>
std::size_t span_of(std::string_view text, Predicate predicate) {
  std::size_t n = 0;
  while (n < text.size() && predicate(text[n])) ++n;
  return n;
}

}  // namespace

void Scanner::skip_space() {
  rest_.remove_prefix(span_of(rest_, [](char c) { return c == ' ' || c == '\t' || c == '\n'; }));
}

bool Scanner::at_end() {
  skip_space();
  return rest_.empty();
}

char Scanner::peek() { return at_end() ? '\0' : rest_[0]; }

bool Scanner::take(std::string_view symbol) {
  skip_space();
  if (!rest_.starts_with(symbol)) return false;
  rest_.remove_prefix(symbol.size());
  return true;
}

void Scanner::expect(std::string_view symbol) {
  if (!take(symbol)) fail(symbol);
}

std::string Scanner::peek_name() {
  if (!starts_name(peek())) return "";
  return std::string(rest_.substr(0, span_of(rest_, in_name)));
}

bool Scanner::take_word(std::string_view word) {
  if (peek_name() != word) return false;
  rest_.remove_prefix(word.size());
  return true;
}

std::string Scanner::name() {
  std::string result = peek_name();
  if (result.empty()) fail("a name");
  rest_.remove_prefix(result.size());
  return result;
}

std::string Scanner::number() {
  skip_space();
  const std::size_t n = span_of(rest_, in_number);
  if (n == 0) fail("a number");
  std::string result(rest_.substr(0, n));
  rest_.remove_prefix(n);
  return result;
}

std::string Scanner::text() {
  expect("\"");
  std::string result;
  while (!rest_.empty() && rest_[0] != '"') {
    char c = rest_[0];
    rest_.remove_prefix(1);
    if (c == '\\' && !rest_.empty()) {
      c = rest_[0] == 'n' ? '\n' : rest_[0] == 't' ? '\t' : rest_[0];
      rest_.remove_prefix(1);
    }
    result += c;
  }
  if (rest_.empty()) fail("a closing quote");
  rest_.remove_prefix(1);
  return result;
}

void Scanner::fail(std::string_view wanted) const {
  raise(Code::kInvalidArgument, "expected ", wanted, " at: ", rest_.empty() ? "the end" : rest_);
}

}  // namespace rill::script
