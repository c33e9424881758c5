#include <math.h>

#include <cmath>

#include "rill/ops/math/activation_rows.h"
#include "rill/ops/math/digamma.h"
#include "rill/ops/math/elementwise.h"

namespace rill {

extern const OpDecl kErf, kErfc, kLgamma, kDigamma;

namespace {

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
    unary_entry<find_erf_rows>(&kErf, kFloatTypes),
    unary_entry<find<erfc_of, erfc_of>>(&kErfc, kFloatTypes),
    unary_entry<find<lgamma_of, lgamma_of>>(&kLgamma, kFloatTypes),
    unary_entry<find<digamma_of, digamma_of>>(&kDigamma, kFloatTypes),
};

}  // namespace

extern const KernelTable kSpecialCpu{kEntries};

}  // namespace rill
