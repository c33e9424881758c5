#include <cmath>
#include <limits>

#include "rill/ops/math/rows/digamma.h"
#include "rill/ops/math/rows/dual.h"
#include "rill/ops/math/rows/elementwise.h"

namespace rill {

extern const OpDecl kRandomGammaGrad;

namespace {

constexpr int kMaxTerms = 20000;
constexpr double kSmall = std::numeric_limits<double>::epsilon() / 2;

// Duals here carry the derivative by alpha.

bool is_negligible(Dual change, Dual whole) {
  return std::abs(change.value) <= kSmall * std::abs(whole.value) &&
         std::abs(change.slope) <= kSmall * std::abs(whole.slope);
}

// The lower incomplete gamma function divided by x^a exp(-x) / a.
Dual lower_series(double a, double x) {
  Dual term{1, 0}, sum = term;
  for (int n = 1; n < kMaxTerms; ++n) {
    term = term * (Dual{x, 0} / Dual{a + n, 1});
    sum = sum + term;
    if (is_negligible(term, sum)) break;
  }
  return sum;
}

Dual away_from_zero(Dual x) {
  constexpr double kTiny = 1e-290;
  return x.value == 0 ? Dual{kTiny, x.slope} : x;
}

// The upper incomplete gamma function divided by x^a exp(-x): a continued fraction, evaluated from
// the front as Lentz does.
Dual upper_fraction(double a, double x) {
  Dual b{x + 1 - a, -1};
  Dual d = Dual{1, 0} / away_from_zero(b), c{1e290, 0}, result = d;
  for (int n = 1; n < kMaxTerms; ++n) {
    const Dual numerator{-n * (n - a), static_cast<double>(n)};
    b = b + Dual{2, 0};
    d = Dual{1, 0} / away_from_zero(b + numerator * d);
    c = away_from_zero(b + numerator / c);
    const Dual before = result;
    result = result * (c * d);
    if (is_negligible(result - before, result)) break;
  }
  return result;
}

// A sample keeps its place P(alpha, sample) in the distribution when alpha changes, so it moves by
// -(dP / dalpha) / (dP / dsample).
double sample_slope(double alpha, double sample) {
  if (std::isnan(alpha) || std::isnan(sample) || sample < 0 || alpha <= 0)
    return std::numeric_limits<double>::quiet_NaN();
  if (sample == 0) return 0;
  if (sample > 1 && sample > alpha) {
    const Dual upper = upper_fraction(alpha, sample);
    return sample * (upper.slope + upper.value * (std::log(sample) - digamma(alpha)));
  }
  const Dual lower = lower_series(alpha, sample);
  return -sample / alpha * (lower.slope + lower.value * (std::log(sample) - digamma(alpha + 1)));
}

template <class T>
void both_row(void* out, const void* x, const void* y, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    static_cast<T*>(out)[i] =
        static_cast<T>(sample_slope(static_cast<const T*>(x)[i], static_cast<const T*>(y)[i]));
}

BinaryRows find_rows(DType type) {
  return {.both = type == DType::f32 ? both_row<float> : both_row<double>, .cost = 300};
}

constexpr KernelEntry kEntries[] = {
    binary_entry<find_rows>(&kRandomGammaGrad, DType::f32 | DType::f64),
};

}  // namespace

extern const KernelTable kRandomGammaGradCpu{kEntries};

}  // namespace rill
