#include "rill/ops/math/special/incomplete_beta.h"

#include <cmath>
#include <limits>

#include "rill/ops/math/special/continued_fraction.h"

namespace rill {
namespace {

// The function without its power factors. It converges quickly for x < (a + 1) / (a + b + 2).
double beta_fraction(double a, double b, double x, double stop_at) {
  return continued_fraction<double>(stop_at, [&](int i, double& n, double& d) {
    const int m = (i - 1) / 2;
    const double at = a + 2 * m;
    d = 1;
    n = i == 1       ? 1
        : i % 2 == 0 ? -(a + m) * (a + b + m) * x / (at * (at + 1))
                     : m * (b - m) * x / ((at - 1) * at);
  });
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
