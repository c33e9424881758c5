#pragma once

#include <cstdint>
#include <string_view>

#include "rill/tensor/dtype.h"

// The registration language as the compiler reads it: what check_decl (op_decl_check.h) is made of.
namespace rill::decl_text {

// Thrown when a declaration is not well formed. In a constant expression nothing may be thrown, so
// that the compiler stops there and shows the reason, and the text in question, in its message.
struct Malformed {
  const char* why;
};
constexpr void demand(bool holds, const char* why) {
  if (!holds) throw Malformed{why};
}

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Reads one argument or attribute from left to right, skipping spaces.
class Scanner {
 public:
  constexpr explicit Scanner(std::string_view text) : rest_(text) {}

  constexpr bool done() { return skip_space().empty(); }
  constexpr bool peek(std::string_view symbol) { return skip_space().starts_with(symbol); }
  constexpr bool accept(std::string_view symbol) {
    if (!peek(symbol)) return false;
    rest_.remove_prefix(symbol.size());
    return true;
  }
  // The longest run of letters, digits and _ . + -; empty when something else comes next.
  constexpr std::string_view word() {
    skip_space();
    std::size_t size = 0;
    while (size < rest_.size() && is_word_char(rest_[size])) ++size;
    return take(size);
  }
  // '...' or "..." with its quotes, taken as written: escapes are not replaced.
  constexpr std::string_view quoted() {
    demand(peek("'") || peek("\""), "a string in quotes is expected");
    std::size_t end = 1;
    while (end < rest_.size() && rest_[end] != rest_[0]) end += rest_[end] == '\\' ? 2u : 1u;
    demand(end < rest_.size(), "a string has no closing quote");
    return take(end + 1);
  }
  // { ... }, taken as written: shapes, tensors and functions in protobuf's text format.
  constexpr std::string_view message() {
    demand(peek("{"), "'{' is expected");
    int depth = 0;
    for (std::size_t i = 0; i < rest_.size(); ++i) {
      if (rest_[i] == '{') ++depth;
      if (rest_[i] == '}' && --depth == 0) return take(i + 1);
    }
    throw Malformed{"a '{' is not closed"};
  }

 private:
  static constexpr bool is_word_char(char c) {
    return is_letter(c) || is_digit(c) || c == '_' || c == '.' || c == '+' || c == '-';
  }
  constexpr std::string_view skip_space() {
    while (!rest_.empty() && (rest_[0] == ' ' || rest_[0] == '\n')) rest_.remove_prefix(1);
    return rest_;
  }
  constexpr std::string_view take(std::size_t size) {
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }
  std::string_view rest_;
};

constexpr bool is_name(std::string_view word) {
  if (word.empty() || is_digit(word[0])) return false;
  for (const char c : word)
    if (!is_letter(c) && !is_digit(c) && c != '_') return false;
  return true;
}

constexpr bool is_int(std::string_view word) {
  if (word.starts_with('-') || word.starts_with('+')) word.remove_prefix(1);
  for (const char c : word)
    if (!is_digit(c)) return false;
  return !word.empty();
}

constexpr bool is_number(std::string_view word) {
  if (word.starts_with('-') || word.starts_with('+')) word.remove_prefix(1);
  if (word == "inf" || word == "nan") return true;
  const std::size_t exponent = word.find_first_of("eE");
  if (exponent != word.npos && !is_int(word.substr(exponent + 1))) return false;
  int digits = 0, dots = 0;
  for (const char c : word.substr(0, exponent)) {
    if (!is_digit(c) && c != '.') return false;
    ++(c == '.' ? dots : digits);
  }
  return digits > 0 && dots <= 1;
}

// The set of one type, as OpDefs spell it ("float", "DT_FLOAT"); empty when there is none.
constexpr TypeSet type_named(std::string_view word) {
  constexpr std::string_view kNames[kDTypeCount] = {
      "",          "float",  "double",     "int32", "uint8",    "int16",   "int8",     "string",
      "complex64", "int64",  "bool",       "qint8", "quint8",   "qint32",  "bfloat16", "qint16",
      "quint16",   "uint16", "complex128", "half",  "resource", "variant", "uint32",   "uint64"};
  const bool is_upper = word.starts_with("DT_");
  if (is_upper) word.remove_prefix(3);
  const auto same = [&](std::string_view name) {
    if (name.size() != word.size() || name.empty()) return false;
    for (std::size_t i = 0; i < name.size(); ++i) {
      const char c = is_upper && is_letter(name[i]) ? static_cast<char>(name[i] - 32) : name[i];
      if (c != word[i]) return false;
    }
    return true;
  };
  for (int i = 1; i < kDTypeCount; ++i)
    if (same(kNames[i])) return static_cast<DType>(i);
  return {};
}

// The types that a word stands for: one, or a class of them.
constexpr TypeSet types_named(std::string_view word) {
  constexpr TypeSet kWideQuantized = DType::qi16 | DType::qu16;
  if (word == "numbertype" || word == "numerictype")
    return (kNumberTypes | kQuantizedTypes) - kWideQuantized;
  if (word == "realnumbertype" || word == "realnumerictype") return kRealTypes;
  if (word == "quantizedtype") return kQuantizedTypes;
  return type_named(word);
}

}  // namespace rill::decl_text
