// Branch-free elementary functions of double that the compiler can vectorise, within about two
// units in the last place and with the same bits on every instruction set. Integers of 64 bits are
// only added, masked and shifted without sign, which every instruction set can do on vectors.
// Include it after rill/ops/simd/each_target.h.

#if defined(RILL_OPS_MATH_VECTOR_DOUBLE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RILL_OPS_MATH_VECTOR_DOUBLE_INL_H
#undef RILL_OPS_MATH_VECTOR_DOUBLE_INL_H
#else
#define RILL_OPS_MATH_VECTOR_DOUBLE_INL_H
#endif

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "rill/ops/math/rows/polynomial-inl.h"

HWY_BEFORE_NAMESPACE();
#include "rill/ops/simd/wide_vectors.h"
namespace rill::HWY_NAMESPACE {
namespace {

// x = n ln 2 + r with |r| <= ln 2 / 2. Adding 1.5 * 2^52 rounds to an integer; with 2046 more, the
// low bits hold n + 2046, twice the exponent that stands for 1 in a double, plus n.
struct ReducedDouble {
  double r;
  std::uint64_t bits;
};
[[gnu::always_inline]] inline ReducedDouble reduce_by_ln2(double x) {
  constexpr double kShift = 0x1.8p52 + 2046;
  const double shifted = x * 1.4426950408889634 + kShift;
  const double n = shifted - kShift;
  const double r = (x - n * 0.6931471806019545) - n * -4.2009150726810846e-11;
  return {r, std::bit_cast<std::uint64_t>(shifted)};
}

// exp(r) - 1 for |r| <= ln 2 / 2, fitted at Chebyshev's points.
[[gnu::always_inline]] inline double small_expm1(double r) {
  constexpr double kTerms[] = {2.5100472505694996e-08, 2.7620201591031547e-07,
                               2.7557268276905696e-06, 2.4801521057868204e-05,
                               0.00019841269863171557, 0.0013888888917367081,
                               0.008333333333330039,   0.041666666666623824,
                               0.16666666666666669,    0.5};
  return split_polynomial(r, kTerms) * (r * r) + r;
}

[[gnu::always_inline]] inline double vector_exp(double x) {
  x = x > 710.0 ? 710.0 : x;
  x = x < -746.0 ? -746.0 : x;
  const auto [r, bits] = reduce_by_ln2(x);
  const std::uint64_t half = bits >> 1;  // two factors, since 2^n alone may not be a normal number
  return (small_expm1(r) + 1.0) * std::bit_cast<double>(half << 52) *
         std::bit_cast<double>((bits - half) << 52);
}

[[gnu::always_inline]] inline double vector_tanh(double x) {
  const double magnitude = std::abs(x);
  const double clamped = magnitude > 20.0 ? 20.0 : magnitude;
  const auto [r, bits] = reduce_by_ln2(2.0 * clamped);
  const double scale = std::bit_cast<double>((bits - 1023) << 52);
  const double e = small_expm1(r) * scale + (scale - 1.0);
  return std::copysign(e / (e + 2.0), x);
}

[[gnu::always_inline]] inline double vector_sigmoid(double x) {
  return 1.0 / (1.0 + vector_exp(-x));
}

// As for floats: log(1 + f) = f - s (f - 2 s^2/3 - ...) with s = f / (2 + f).
[[gnu::always_inline]] inline double small_log1p(double f) {
  constexpr double kTerms[] = {0.13088034850927555, 0.13268638369266825, 0.15386244737621665,
                               0.18181795547521137, 0.22222222392581045, 0.28571428570799784,
                               0.40000000000000885, 0.6666666666666666};
  const double s = f / (2.0 + f);
  const double z = s * s;
  return f - s * (f - polynomial(z, kTerms) * z);
}

[[gnu::always_inline]] inline double vector_log(double x) {
  constexpr std::uint64_t kSqrtHalf = 0x3fe6a09e667f3bcd, kOne = 0x3ff0000000000000;
  const bool subnormal = x < std::numeric_limits<double>::min();
  const auto bits = std::bit_cast<std::uint64_t>(subnormal ? x * 0x1p54 : x);
  // The mantissa is taken from [sqrt(1/2), sqrt(2)). The exponent is counted in the low bits of
  // 2^52.
  const std::uint64_t shifted = bits + (kOne - kSqrtHalf);
  const double counted = std::bit_cast<double>((shifted >> 52) | 0x4330000000000000);
  const double exponent = counted - (subnormal ? 0x1p52 + 1023 + 54 : 0x1p52 + 1023);
  const double f = std::bit_cast<double>((shifted & 0xfffffffffffff) + kSqrtHalf) - 1.0;
  double y = exponent * 0.6931471806019545 + (small_log1p(f) + exponent * -4.2009150726810846e-11);
  y = x == std::numeric_limits<double>::infinity() ? x : y;
  y = x == 0.0 ? -std::numeric_limits<double>::infinity() : y;
  y = x < 0.0 ? std::numeric_limits<double>::quiet_NaN() : y;
  return x != x ? x : y;
}

// By the difference to pi/4 or pi/2 from tan(pi/8) and tan(3 pi/8) on: then the series is short.
[[gnu::always_inline]] inline double vector_atan(double x) {
  constexpr double kTerms[] = {0.016284375050043393, -0.03456931506332609, 0.045515447340221615,
                               -0.05230443640686948, 0.05878927554473807,  -0.0666642476020052,
                               0.07692296368042296,  -0.09090908753259112, 0.11111111105150588,
                               -0.14285714285659779, 0.19999999999999804,  -0.3333333333333333};
  const double magnitude = std::abs(x);
  const bool middle = magnitude > 0.41421356237309503, far = magnitude > 2.414213562373095;
  const double above = far ? -1.0 : middle ? magnitude - 1.0 : magnitude;
  const double below = far ? magnitude : middle ? magnitude + 1.0 : 1.0;
  const double t = above / below;
  const double z = t * t;
  const double base = far ? 1.5707963267948966 : middle ? 0.7853981633974483 : 0.0;
  const double lost = far ? 6.123233995736766e-17 : middle ? 3.061616997868383e-17 : 0.0;
  const double y = base + (t + (t * (z * split_polynomial(z, kTerms)) + lost));
  return std::copysign(y, x);
}

}  // namespace
}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
