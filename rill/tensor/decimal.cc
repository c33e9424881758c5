#include "rill/tensor/decimal.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "rill/base/text.h"

namespace rill {
namespace {

using DigitBuffer =
    std::array<char, 400>;  // holds the 309 digits before the point of the largest double

// snprintf of one double, with `digit_count` for the precision.
std::string formatted(const char* format, int digit_count, double value) {
  DigitBuffer text;
  const int size = std::snprintf(text.data(), text.size(), format, digit_count, value);
  return {text.data(), static_cast<std::size_t>(size)};
}

template <class T>
std::string shortest(T value) {
  DigitBuffer text;
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific);
  return {text.data(), end.ptr};
}

std::string shortest(half value) {
  const double exact = static_cast<float>(value);
  for (int digits = 0;; ++digits)
    // A tie is tried both ways: at powers of two only one of them reads back.
    for (const double x : {exact, std::nextafter(exact, exact < 0 ? -INFINITY : INFINITY)}) {
      std::string text = formatted("%.*e", digits, x);
      if (digits == 5 || half(std::strtof(text.c_str(), nullptr)).bits == value.bits) return text;
    }
}

void drop_trailing_zeros(std::string* digits) { digits->resize(digits->find_last_not_of('0') + 1); }

Decimal parse_positional(std::string_view text) {
  const auto point = text.find('.');
  Decimal d{.whole = std::string(text.substr(0, point))};
  if (point != text.npos) d.fraction = text.substr(point + 1);
  return d;
}

Decimal parse_scientific(std::string_view text) {
  const auto e = text.find('e');
  Decimal d = parse_positional(text.substr(0, e));
  auto exponent = text.substr(e + 1);
  if (exponent.front() == '+') exponent.remove_prefix(1);
  long long number = 0;
  parse_int(exponent, &number);
  d.exponent = static_cast<int>(number);
  return d;
}

// Moves the point so that the exponent becomes zero.
Decimal spread(const Decimal& d) {
  const bool negative = d.whole.front() == '-';
  std::string digits = d.whole.substr(negative) + d.fraction;
  if (d.exponent < 0) digits.insert(0, static_cast<std::size_t>(-d.exponent), '0');
  const std::size_t whole_count = static_cast<std::size_t>(std::max(d.exponent, 0)) + 1;
  if (digits.size() < whole_count) digits.resize(whole_count, '0');
  return {.whole = (negative ? "-" : "") + digits.substr(0, whole_count),
          .fraction = digits.substr(whole_count)};
}

}  // namespace

Decimal rounded_positional(double value, int precision) {
  return parse_positional(formatted("%.*f", precision, value));
}

Decimal rounded_scientific(double value, int precision) {
  return parse_scientific(formatted("%.*e", precision, value));
}

template <class T>
Decimal positional(T value, int precision) {
  Decimal d = spread(parse_scientific(shortest(value)));
  drop_trailing_zeros(&d.fraction);
  if (d.fraction.size() <= static_cast<std::size_t>(precision)) return d;
  d = rounded_positional(as_double(value), precision);
  drop_trailing_zeros(&d.fraction);
  return d;
}

template <class T>
Decimal scientific(T value, int precision) {
  Decimal d = parse_scientific(shortest(value));
  if (d.fraction.size() > static_cast<std::size_t>(precision))
    d = rounded_scientific(as_double(value), precision);
  drop_trailing_zeros(&d.fraction);
  return d;
}

template Decimal positional(double, int);
template Decimal positional(float, int);
template Decimal positional(half, int);
template Decimal scientific(double, int);
template Decimal scientific(float, int);
template Decimal scientific(half, int);

std::string exponent_text(int exponent, int digit_count) {
  std::string digits = std::to_string(exponent < 0 ? -exponent : exponent);
  if (digits.size() < static_cast<std::size_t>(digit_count))
    digits.insert(0, static_cast<std::size_t>(digit_count) - digits.size(), '0');
  return (exponent < 0 ? "e-" : "e+") + digits;
}

}  // namespace rill
