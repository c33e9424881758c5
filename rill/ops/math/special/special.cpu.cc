#include <math.h>

#include <cmath>

#include "rill/ops/math/rows/activation_rows.h"
#include "rill/ops/math/rows/digamma.h"
#include "rill/ops/math/rows/elementwise.h"
#include "rill/ops/math/special/special_rows.h"

namespace rill {

extern const OpDecl kErf, kErfc, kLgamma, kDigamma;

namespace {

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
double digamma_of(double x) { return digamma(x); }

template <double (*d)(double)>
UnaryRows find_double(DType type) {
  return type == DType::f64 ? UnaryRows{mapped_row<double, d>, 40} : UnaryRows{};
}
UnaryRows find_erfc(DType type) {
  return type == DType::f32 ? find_float_erfc_row() : find_double<erfc_of>(type);
}
UnaryRows find_digamma(DType type) {
  return type == DType::f32 ? find_float_digamma_row() : find_double<digamma_of>(type);
}
UnaryRows find_lgamma(DType type) {
  if (type == DType::f32) return {mapped_row<float, lgamma_of>, 20};
  return find_double<lgamma_of>(type);
}

constexpr KernelEntry kEntries[] = {
    unary_entry<find_erf_rows>(&kErf, kFloatTypes),
    unary_entry<find_erfc>(&kErfc, kFloatTypes),
    unary_entry<find_lgamma>(&kLgamma, kFloatTypes),
    unary_entry<find_digamma>(&kDigamma, kFloatTypes),
};

}  // namespace

extern const KernelTable kSpecialCpu{kEntries};

}  // namespace rill
