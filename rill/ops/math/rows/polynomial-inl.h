// Polynomials whose coefficients stand from the highest power down: include it after
// rill/ops/simd/each_target.h.

#if defined(RILL_OPS_MATH_POLYNOMIAL_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RILL_OPS_MATH_POLYNOMIAL_INL_H
#undef RILL_OPS_MATH_POLYNOMIAL_INL_H
#else
#define RILL_OPS_MATH_POLYNOMIAL_INL_H
#endif

HWY_BEFORE_NAMESPACE();
#include "rill/ops/simd/wide_vectors.h"
namespace rill::HWY_NAMESPACE {
namespace {

template <class T, int count>
[[gnu::always_inline]] inline T polynomial(T x, const T (&coefficients)[count]) {
  T sum = coefficients[0];
  for (int i = 1; i < count; ++i) sum = sum * x + coefficients[i];
  return sum;
}

// As two polynomials of the square, whose chains of operations the processor runs at the same time:
// for long ones where rounding once more does not matter.
template <class T, int count>
[[gnu::always_inline]] inline T split_polynomial(T x, const T (&coefficients)[count]) {
  const T z = x * x;
  T first = coefficients[0], second = coefficients[1];
  for (int i = 2; i < count; i += 2) first = first * z + coefficients[i];
  for (int i = 3; i < count; i += 2) second = second * z + coefficients[i];
  return count % 2 == 0 ? first * x + second : second * x + first;
}

}  // namespace
}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
