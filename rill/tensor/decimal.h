#pragma once

#include <string>

#include "rill/tensor/half.h"

namespace rill {

// A finite number in decimal: "-12" "5" is -12.5; with an exponent it is times 10^exponent.
struct Decimal {
  std::string whole;     // with the sign
  std::string fraction;  // perhaps empty
  int exponent = 0;
};

inline double as_double(double value) { return value; }
inline double as_double(half value) { return static_cast<float>(value); }

// The fewest digits that read back as the same T, but at most `precision` after the point; beyond
// that the exact value is rounded, ties to even. The scientific form has one digit before the
// point. Trailing zeros are dropped: 1.5 at precision 8 has the fraction "5". `value` must be
// finite.
template <class T>  // half, float or double
Decimal positional(T value, int precision);
template <class T>
Decimal scientific(T value, int precision);

// The exact value rounded to `precision` digits after the point, all of which are given.
Decimal rounded_positional(double value, int precision);
Decimal rounded_scientific(double value, int precision);

// "e+05": the sign and at least `digit_count` digits.
std::string exponent_text(int exponent, int digit_count = 2);

}  // namespace rill
