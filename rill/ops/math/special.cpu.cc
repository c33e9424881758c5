#include <math.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "rill/ops/math/elementwise.h"

namespace rill {

extern const OpDecl kErf, kErfc, kLgamma, kDigamma;

namespace {

// Above 6 the asymptotic series holds to double precision within its seven terms; below, the
// recurrence psi(x) = psi(x + 1) - 1 / x climbs there.
double digamma_positive(double x) {
  double below = 0;
  for (; x < 6; x += 1) below += 1 / x;
  const double z = 1 / (x * x);
  constexpr double kTerms[] = {1.0 / 12,  -1.0 / 120,     1.0 / 252, -1.0 / 240,
                               1.0 / 132, -691.0 / 32760, 1.0 / 12};
  double series = 0;
  for (int i = 6; i >= 0; --i) series = (series + kTerms[i]) * z;
  return std::log(x) - 0.5 / x - series - below;
}

double digamma(double x) {
  if (x > 0) return std::isinf(x) ? x : digamma_positive(x);
  if (x == std::floor(x)) return std::numeric_limits<double>::quiet_NaN();  // a pole, or -inf
  if (x != x) return x;
  const double fraction = x - std::floor(x);  // the tangent's argument, kept small
  return digamma_positive(1 - x) - std::numbers::pi / std::tan(std::numbers::pi * fraction);
}

float erf_of(float x) { return std::erf(x); }
double erf_of(double x) { return std::erf(x); }
float erfc_of(float x) { return std::erfc(x); }
double erfc_of(double x) { return std::erfc(x); }
// The reentrant forms: plain lgamma writes the sign to a global.
float lgamma_of(float x) {
  int sign = 0;
  return ::lgammaf_r(x, &sign);
}
double lgamma_of(double x) {
  int sign = 0;
  return ::lgamma_r(x, &sign);
}
float digamma_of(float x) { return static_cast<float>(digamma(x)); }
double digamma_of(double x) { return digamma(x); }

template <class T, T (*f)(T)>
void row(void* out, const void* x, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) static_cast<T*>(out)[i] = f(static_cast<const T*>(x)[i]);
}

template <float (*f)(float), double (*d)(double)>
UnaryRows find(DType type) {
  if (type == DType::f32) return {row<float, f>, 20};
  if (type == DType::f64) return {row<double, d>, 40};
  return {};
}

constexpr KernelEntry kEntries[] = {
    unary_entry<find<erf_of, erf_of>>(&kErf, kFloatTypes),
    unary_entry<find<erfc_of, erfc_of>>(&kErfc, kFloatTypes),
    unary_entry<find<lgamma_of, lgamma_of>>(&kLgamma, kFloatTypes),
    unary_entry<find<digamma_of, digamma_of>>(&kDigamma, kFloatTypes),
};

}  // namespace

extern const KernelTable kSpecialCpu{kEntries};

}  // namespace rill
