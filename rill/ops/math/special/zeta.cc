#include "rill/ops/math/special/zeta.h"

#include <cmath>
#include <limits>

#include "rill/ops/math/rows/dual.h"

namespace rill {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// base to the power -x. To a small whole power, where a few last digits do not count, it is a
// product.
double falling_power(double base, double x, bool as_product) {
  if (!as_product) return std::pow(base, -x);
  double product = 1;
  for (auto left = static_cast<int>(x); left != 0; left >>= 1) {
    if ((left & 1) != 0) product *= base;
    base *= base;
  }
  return 1 / product;
}

// Euler and Maclaurin: the first terms one by one, the rest as an integral with corrections by the
// Bernoulli numbers B2k / (2k)!.
double zeta_positive(double x, double q, double stop_at) {
  const bool rough = stop_at > 1e-12, as_product = rough && x <= 16 && x == std::floor(x);
  const int first = rough ? 6 : 12;
  constexpr double kCorrections[] = {1.0 / 12,          -1.0 / 720,
                                     1.0 / 30240,       -1.0 / 1209600,
                                     1.0 / 47900160,    -691.0 / 1307674368000,
                                     1.0 / 74724249600, -3617.0 / 10670622842880000};
  double sum = 0;
  for (int i = 0; i < first; ++i) {
    const double term = falling_power(q + i, x, as_product);
    sum += term;
    if (term <= stop_at * sum) return sum;
  }
  const double w = q + first, power = falling_power(w, x, as_product);
  sum += power * w / (x - 1) + 0.5 * power;
  double factor = x * power / w;
  for (int k = 0; k < 8; ++k) {
    const double term = factor * kCorrections[k];
    sum += term;
    if (std::abs(term) <= stop_at * sum) break;
    factor *= (x + 2 * k + 1) * (x + 2 * k + 2) / (w * w);
  }
  return sum;
}

double factorial(double n) {
  if (n > 20) return std::exp(log_gamma(n + 1));
  double product = 1;
  for (auto k = static_cast<int>(n); k > 1; --k) product *= k;
  return product;
}

}  // namespace

double zeta(double x, double q, double stop_at) {
  if (x != x || q != q) return kNaN;
  if (x == 1) return kInfinity;
  if (x < 1) return kNaN;
  if (q > 0) return zeta_positive(x, q, stop_at);
  const bool whole = x == std::floor(x), even = whole && std::fmod(x, 2) == 0;
  if (q == std::floor(q)) return even ? kInfinity : kNaN;
  if (!whole) return kNaN;
  // The terms on both sides of zero are sums of their own: at distances f, f + 1, ..., -q below it
  // and 1 - f, 2 - f, ... above.
  const double f = -q - std::floor(-q);
  const double below = zeta_positive(x, f, stop_at) - zeta_positive(x, 1 - q, stop_at);
  return zeta_positive(x, 1 - f, stop_at) + (even ? below : -below);
}

double polygamma(double n, double x, double stop_at) {
  if (!(n >= 0) || n != std::floor(n)) return kNaN;
  if (n == 0) return digamma(x);
  const double size = factorial(n) * zeta(n + 1, x, stop_at);
  return std::fmod(n, 2) == 0 ? -size : size;
}

}  // namespace rill
