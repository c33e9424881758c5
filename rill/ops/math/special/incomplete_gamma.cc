#include "rill/ops/math/special/incomplete_gamma.h"

#include "rill/ops/math/special/continued_fraction.h"

namespace rill {
namespace {

// Every function here takes a as a double or, to find the derivative by it, as a Dual.

// From here on the asymptotic expansion has full precision; series would need thousands of terms.
constexpr double kLargeShape = 1e6;
constexpr int kMaxTerms = 20000;

// x^a e^-x / gamma(a)
template <class V>
V density(V a, double x) {
  using std::exp;
  return exp(a * V(std::log(x)) - V(x) - log_gamma(a));
}

// The lower function: 1 + x / (a + 1) + x^2 / ((a + 1)(a + 2)) + ..., for x that is not large.
template <class V>
V lower_by_series(V a, double x, double stop_at) {
  V term = 1, sum = 1, divisor = a;
  for (int i = 0; i < kMaxTerms && !is_small(term, sum, stop_at); ++i) {
    divisor = divisor + V(1);
    term = term * (V(x) / divisor);  // divisions that need not wait for each other
    sum = sum + term;
  }
  return density(a, x) * sum / a;
}

// The upper function by Legendre's continued fraction, for x > a.
template <class V>
V upper_by_fraction(V a, double x, double stop_at) {
  const V first = V(x + 1) - a;
  return density(a, x) * continued_fraction<V>(stop_at, [&](int i, V& n, V& d) {
           n = i == 1 ? V(1) : V(i - 1) * (a - V(i - 1));
           d = first + V(2 * (i - 1));
         });
}

template <class V>
V polynomial(V x, std::initializer_list<double> coefficients) {
  V sum = 0;
  for (auto it = std::rbegin(coefficients); it != std::rend(coefficients); ++it)
    sum = sum * x + V(*it);
  return sum;
}

// Temme's uniform expansion for large a: half an erfc plus a correction. `sign` is 1 for the upper
// function, -1 for the lower.
template <class V>
V by_expansion(V a, double x, double sign) {
  using std::erfc, std::exp, std::sqrt;
  const V excess = (V(x) - a) / a;
  const double size = value_of(a), e = value_of(excess);
  if (std::abs(e) > 0.2 || size * (e - std::log1p(e)) > 750)
    return V((e > 0) == (sign < 0) ? 1 : 0);
  // 2 (e - log(1 + e)) / e^2, as a series that has no cancellation.
  V ratio = 0;
  for (int i = 24; i >= 0; --i) ratio = V(2.0 / (i + 2)) - excess * ratio;
  const V eta = excess * sqrt(ratio);
  const V first = polynomial(eta, {-1.0 / 3, 1.0 / 12, -2.0 / 135, 1.0 / 864, 1.0 / 2835});
  const V second = polynomial(eta, {-1.0 / 540, -1.0 / 288, 25.0 / 12096});
  const V bell = exp(V(-0.5) * a * eta * eta) / sqrt(V(2 * std::numbers::pi) * a);
  const V tail = V(0.5) * erfc(V(sign) * eta * sqrt(a * V(0.5)));
  return tail + V(sign) * bell * (first + second / a);
}

template <class V>
V lower(V a, double x, double stop_at) {
  if (value_of(a) > kLargeShape) return by_expansion(a, x, -1);
  if (x > 1 && x > value_of(a)) return V(1) - upper_by_fraction(a, x, stop_at);
  return lower_by_series(a, x, stop_at);
}

double upper(double a, double x, double stop_at) {
  if (a > kLargeShape) return by_expansion(a, x, 1);
  if (x > 1 && x > a) return upper_by_fraction(a, x, stop_at);
  return 1 - lower_by_series(a, x, stop_at);
}

}  // namespace

double igamma(double a, double x, double stop_at) {
  if (a != a || x != x) return kNaN;
  if (x == 0) return 0;
  if (x < 0 || a <= 0) return kNaN;
  if (std::isinf(a)) return 0;
  return std::isinf(x) ? 1 : lower(a, x, stop_at);
}

double igammac(double a, double x, double stop_at) {
  if (!(a > 0 && x >= 0)) return kNaN;
  if (x == 0) return 1;
  if (std::isinf(x)) return 0;
  return std::isinf(a) ? 1 : upper(a, x, stop_at);
}

double igamma_grad_a(double a, double x, double stop_at) {
  if (a != a || x != x) return kNaN;
  if (x == 0) return 0;
  if (x < 0 || a <= 0) return kNaN;
  if (std::isinf(a) || std::isinf(x)) return 0;
  return lower(Dual(a, 1), x, stop_at).slope;
}

}  // namespace rill
