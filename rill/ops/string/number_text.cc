#include "rill/ops/string/number_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>

#include "rill/ops/string/white_space.h"

namespace rill {
namespace {

constexpr std::size_t kMaxFloatLength = 31;

std::string_view stripped(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

char lower_letter(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

bool is_word(std::string_view text, std::string_view word) {
  return std::ranges::equal(text, word, {}, lower_letter);
}

// `form` is what from_chars takes; all of the text must be used.
template <class T>
bool read_all(std::string_view text, std::chars_format form, T* number) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, *number, form);
  if (stop != end) return false;
  if (error == std::errc::result_out_of_range) {
    // In so few characters only the exponent can lead so far.
    const std::size_t exponent = text.find_first_of("eE");
    const bool is_small = exponent != std::string_view::npos && text[exponent + 1] == '-';
    *number = is_small ? T(0) : std::numeric_limits<T>::infinity();
    return true;
  }
  return error == std::errc();
}

bool is_hex_digit(char c) {
  return (c >= '0' && c <= '9') || (lower_letter(c) >= 'a' && lower_letter(c) <= 'f');
}

template <class T>
bool read_unsigned_float(std::string_view text, T* number) {
  if (is_word(text, "inf")) return *number = std::numeric_limits<T>::infinity(), true;
  if (is_word(text, "nan")) return *number = std::numeric_limits<T>::quiet_NaN(), true;
  if (text.size() > 2 && is_word(text.substr(0, 2), "0x")) {
    const std::string_view digits = text.substr(2);
    return std::ranges::all_of(digits, is_hex_digit) &&
           read_all(digits, std::chars_format::hex, number);
  }
  const bool is_decimal = !text.empty() && (text[0] == '.' || (text[0] >= '0' && text[0] <= '9'));
  return is_decimal && read_all(text, std::chars_format::general, number);
}

template <class T>
bool read_float(std::string_view text, T* number) {
  if (text.empty() || text.size() > kMaxFloatLength) return false;
  text = stripped(text);
  if (text.empty()) return *number = 0, true;
  const bool is_negative = text[0] == '-';
  if (is_negative || text[0] == '+') text.remove_prefix(1);
  if (!read_unsigned_float(text, number)) return false;
  if (is_negative) *number = -*number;
  return true;
}

template <class T>
bool read_integer(std::string_view text, T* number) {
  text = stripped(text);
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, *number);
  return error == std::errc() && stop == end;
}

}  // namespace

template <>
bool read_number(std::string_view text, std::int32_t* number) {
  return read_integer(text, number);
}
template <>
bool read_number(std::string_view text, std::int64_t* number) {
  return read_integer(text, number);
}
template <>
bool read_number(std::string_view text, float* number) {
  return read_float(text, number);
}
template <>
bool read_number(std::string_view text, double* number) {
  return read_float(text, number);
}

}  // namespace rill
