#include "rill/ops/math/incomplete_beta.h"

#include <cmath>
#include <limits>

#include "rill/ops/math/dual.h"

namespace rill {
namespace {

constexpr int kMostTerms = 20000;

// The continued fraction of the function without its power factors, evaluated as Lentz does. It
// converges quickly for x < (a + 1) / (a + b + 2).
double beta_fraction(double a, double b, double x, double stop_at) {
  constexpr double kTiny = 1e-300;  // stands for a denominator of zero
  const auto not_zero = [](double v) { return v == 0 ? kTiny : v; };
  double c = 1, d = 1 / not_zero(1 - (a + b) * x / (a + 1)), result = d;
  const auto step = [&](double numerator) {
    d = 1 / not_zero(1 + numerator * d);
    c = not_zero(1 + numerator / c);
    result *= c * d;
    return std::abs(c * d - 1);
  };
  for (int m = 1; m < kMostTerms; ++m) {
    step(m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)));
    if (step(-(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))) <= stop_at) break;
  }
  return result;
}

}  // namespace

double betainc(double a, double b, double x, double stop_at) {
  const bool defined = a > 0 && b > 0 && std::isfinite(a) && std::isfinite(b) && x >= 0 && x <= 1;
  if (!defined) return std::numeric_limits<double>::quiet_NaN();
  if (x == 0 || x == 1) return x;
  const double log_beta = log_gamma(a) + log_gamma(b) - log_gamma(a + b);
  const double power = std::exp(a * std::log(x) + b * std::log1p(-x) - log_beta);
  if (x < (a + 1) / (a + b + 2)) return power * beta_fraction(a, b, x, stop_at) / a;
  return 1 - power * beta_fraction(b, a, 1 - x, stop_at) / b;
}

}  // namespace rill
