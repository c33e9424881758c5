#pragma once

#include <cmath>
#include <limits>
#include <numbers>

namespace rill {

// Above 6 the asymptotic series holds to double precision within its seven terms; below, the
// recurrence psi(x) = psi(x + 1) - 1 / x climbs there.
inline double digamma_positive(double x) {
  double below = 0;
  for (; x < 6; x += 1) below += 1 / x;
  const double z = 1 / (x * x);
  constexpr double kTerms[] = {1.0 / 12,  -1.0 / 120,     1.0 / 252, -1.0 / 240,
                               1.0 / 132, -691.0 / 32760, 1.0 / 12};
  double series = 0;
  for (int i = 6; i >= 0; --i) series = (series + kTerms[i]) * z;
  return std::log(x) - 0.5 / x - series - below;
}

// The derivative of the logarithm of the gamma function; NaN at its poles.
inline double digamma(double x) {
  if (x > 0) return std::isinf(x) ? x : digamma_positive(x);
  if (x == std::floor(x)) return std::numeric_limits<double>::quiet_NaN();  // a pole, or -inf
  if (x != x) return x;
  const double fraction = x - std::floor(x);  // the tangent's argument, kept small
  return digamma_positive(1 - x) - std::numbers::pi / std::tan(std::numbers::pi * fraction);
}

}  // namespace rill
