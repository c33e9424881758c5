#pragma once

#include <math.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "rill/ops/math/rows/digamma.h"

namespace rill {

// A number with its derivative by some variable: what is computed of it carries its own.
struct Dual {
  double value = 0, slope = 0;
  Dual() = default;
  Dual(double value, double slope = 0) : value(value), slope(slope) {}
};

inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

inline double value_of(double x) { return x; }
inline double value_of(Dual x) { return x.value; }

inline Dual operator+(Dual x, Dual y) { return {x.value + y.value, x.slope + y.slope}; }
inline Dual operator-(Dual x, Dual y) { return {x.value - y.value, x.slope - y.slope}; }
inline Dual operator-(Dual x) { return {-x.value, -x.slope}; }
inline Dual operator*(Dual x, Dual y) {
  return {x.value * y.value, x.slope * y.value + x.value * y.slope};
}
inline Dual operator/(Dual x, Dual y) {
  const double ratio = x.value / y.value;
  return {ratio, (x.slope - ratio * y.slope) / y.value};
}

inline Dual exp(Dual x) {
  const double value = std::exp(x.value);
  return {value, value * x.slope};
}
inline Dual sqrt(Dual x) {
  const double value = std::sqrt(x.value);
  return {value, x.slope / (2 * value)};
}
inline Dual erfc(Dual x) {
  const double slope = -2 * std::numbers::inv_sqrtpi * std::exp(-x.value * x.value);
  return {std::erfc(x.value), slope * x.slope};
}
// The logarithm of the gamma function of a positive number.
inline double log_gamma(double x) {
  int sign = 0;
  return ::lgamma_r(x, &sign);
}
inline Dual log_gamma(Dual x) { return {log_gamma(x.value), digamma(x.value) * x.slope}; }

}  // namespace rill
