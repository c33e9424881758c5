// Branch-free hyperbolic functions of float that the compiler can vectorise, with the same bits on
// every instruction set: in double and rounded once, but for atanh. Include it after
// rill/ops/simd/each_target.h.

#if defined(RILL_OPS_MATH_VECTOR_HYPERBOLIC_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RILL_OPS_MATH_VECTOR_HYPERBOLIC_INL_H
#undef RILL_OPS_MATH_VECTOR_HYPERBOLIC_INL_H
#else
#define RILL_OPS_MATH_VECTOR_HYPERBOLIC_INL_H
#endif

#include "rill/ops/math/rows/vector_double-inl.h"
#include "rill/ops/math/rows/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
#include "rill/ops/simd/wide_vectors.h"
namespace rill::HWY_NAMESPACE {
namespace {

[[gnu::always_inline]] inline float vector_sinh(float x) {
  const double d = x, z = d * d;
  constexpr double kTerms[] = {1.0 / 362880, 1.0 / 5040, 1.0 / 120, 1.0 / 6, 1.0};
  const double e = vector_exp(d);
  const double near = d * polynomial(z, kTerms), far = 0.5 * (e - 1.0 / e);
  return static_cast<float>(std::abs(d) < 0.5 ? near : far);
}
[[gnu::always_inline]] inline float vector_cosh(float x) {
  const double e = vector_exp(static_cast<double>(x));
  return static_cast<float>(0.5 * (e + 1.0 / e));
}

// The logarithm of x >= 1, infinity or NaN, as exact as a float needs it.
[[gnu::always_inline]] inline double float_log(double x) {
  constexpr std::uint64_t kSqrtHalf = 0x3fe6a09e667f3bcd, kOne = 0x3ff0000000000000;
  constexpr double kTerms[] = {0.23331614471843498, 0.28550778633191964, 0.4000012221181065,
                               0.6666666655404201};
  const std::uint64_t shifted = std::bit_cast<std::uint64_t>(x) + (kOne - kSqrtHalf);
  const double exponent =
      std::bit_cast<double>((shifted >> 52) | 0x4330000000000000) - (0x1p52 + 1023);
  const double f = std::bit_cast<double>((shifted & 0xfffffffffffff) + kSqrtHalf) - 1.0;
  const double s = f / (2.0 + f), z = s * s;
  const double y = exponent * 0.6931471805599453 + (s * (polynomial(z, kTerms) * z + 2.0));
  return x <= std::numeric_limits<double>::max() ? y : x;
}

// The inverse functions are logarithms but for small x, where the series keeps their digits.
[[gnu::always_inline]] inline float vector_asinh(float x) {
  const double d = x, z = d * d, magnitude = std::abs(d);
  constexpr double kTerms[] = {-15.0 / 336, 3.0 / 40, -1.0 / 6, 1.0};
  const double near = d * polynomial(z, kTerms);
  const double far = std::copysign(float_log(magnitude + std::sqrt(z + 1.0)), d);
  return static_cast<float>(magnitude < 0.03125 ? near : far);
}
[[gnu::always_inline]] inline float vector_acosh(float x) {
  const double d = x;
  const double y = float_log(d + std::sqrt(d * d - 1.0));
  return d < 1.0 ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(y);
}
// In float: its logarithm is of at least 3, and loses nothing.
[[gnu::always_inline]] inline float vector_atanh(float x) {
  constexpr float kTerms[] = {0.15751780569553375f, 0.06493489444255829f, 0.11469875276088715f,
                              0.14263980090618134f, 0.2000047266483307f,  0.3333333134651184f};
  const float magnitude = std::abs(x), z = x * x;
  const float near = polynomial(z, kTerms) * (z * magnitude) + magnitude;
  const float far = 0.5f * vector_log((1.0f + magnitude) / (1.0f - magnitude));
  return std::copysign(magnitude < 0.5f ? near : far, x);
}

}  // namespace
}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
