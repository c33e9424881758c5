#include "rill/ops/math/special/bessel.h"

#include <cmath>
#include <limits>
#include <numbers>

namespace rill {
namespace {

// Below, the power series; above, the terms of the asymptotic one fall to e^-2x before they grow.
constexpr double kFar = 30;

// For x >= 0.
double scaled_bessel(int order, double x, double stop_at) {
  double term = 1, sum = 1;
  if (x < kFar) {
    const double y = 0.25 * x * x;
    for (int k = 1; term > stop_at * sum; ++k) {
      term *= y / (static_cast<double>(k) * (k + order));
      sum += term;
    }
    return sum * std::exp(-x) * (order == 1 ? 0.5 * x : 1);
  }
  for (int k = 1; std::abs(term) > stop_at * sum; ++k) {
    const double odd = 2 * k - 1;
    term *= (odd * odd - 4 * order * order) / (8 * k * x);
    sum += term;
  }
  return sum / std::sqrt(2 * std::numbers::pi * x);
}

}  // namespace

double bessel_i0e(double x, double stop_at) {
  return x != x ? x : scaled_bessel(0, std::abs(x), stop_at);
}

double bessel_i1e(double x, double stop_at) {
  return x != x ? x : std::copysign(scaled_bessel(1, std::abs(x), stop_at), x);
}

}  // namespace rill
