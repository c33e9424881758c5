// Branch-free elementary functions of float that the compiler can vectorise, within about two units
// in the last place and with the same bits on every instruction set. Include it after
// rill/ops/simd/each_target.h.

#if defined(RILL_OPS_MATH_VECTOR_MATH_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RILL_OPS_MATH_VECTOR_MATH_INL_H
#undef RILL_OPS_MATH_VECTOR_MATH_INL_H
#else
#define RILL_OPS_MATH_VECTOR_MATH_INL_H
#endif

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

HWY_BEFORE_NAMESPACE();
namespace rill::HWY_NAMESPACE {
namespace {

// x = n ln 2 + r with |r| <= ln 2 / 2. Adding 1.5 * 2^23 rounds to an integer, which then stands in
// the low bits. ln 2 is split so that n times its upper part is exact.
struct Reduced {
  float r;
  std::int32_t n;
};
[[gnu::always_inline]] inline Reduced reduce_by_ln2(float x) {
  constexpr float kShift = 12582912.0f;
  const float shifted = x * 1.44269504f + kShift;
  const float n = shifted - kShift;
  const float r = (x - n * 0.693359375f) - n * -2.12194440e-4f;
  return {r, std::bit_cast<std::int32_t>(shifted) - std::bit_cast<std::int32_t>(kShift)};
}

[[gnu::always_inline]] inline float power_of_two(std::int32_t n) {
  return std::bit_cast<float>((n + 127) << 23);
}

// exp(r) - 1 for |r| <= ln 2 / 2, by its series.
[[gnu::always_inline]] inline float small_expm1(float r) {
  float p = 1.0f / 5040;
  p = p * r + 1.0f / 720;
  p = p * r + 1.0f / 120;
  p = p * r + 1.0f / 24;
  p = p * r + 1.0f / 6;
  p = p * r + 0.5f;
  return p * (r * r) + r;
}

[[gnu::always_inline]] inline float vector_exp(float x) {
  x = x > 89.0f ? 89.0f : x;
  x = x < -104.0f ? -104.0f : x;
  const auto [r, n] = reduce_by_ln2(x);
  const std::int32_t half = n >> 1;  // two factors, since 2^n alone may not be a normal number
  return (small_expm1(r) + 1.0f) * power_of_two(half) * power_of_two(n - half);
}

[[gnu::always_inline]] inline float vector_expm1(float x) {
  const float original = x;
  x = x > 89.0f ? 89.0f : x;
  x = x < -20.0f ? -20.0f : x;
  const auto [r, n] = reduce_by_ln2(x);
  const std::int32_t half = n >> 1;
  const float scale = power_of_two(half), rest = power_of_two(n - half);
  const float grown = small_expm1(r) * scale * rest + (scale * rest - 1.0f);
  const float huge = (small_expm1(r) + 1.0f) * scale * rest;  // where 2^n overflows but e^x may not
  const float result = n > 100 ? huge : grown;
  return original == 0.0f ? original : result;
}

[[gnu::always_inline]] inline float vector_tanh(float x) {
  const float magnitude = std::abs(x);
  const float clamped = magnitude > 10.0f ? 10.0f : magnitude;
  const auto [r, n] = reduce_by_ln2(2.0f * clamped);
  const float scale = power_of_two(n);  // at most 2^29, so that e^x - 1 needs no care
  const float e = small_expm1(r) * scale + (scale - 1.0f);
  return std::copysign(e / (e + 2.0f), x);
}

[[gnu::always_inline]] inline float vector_sigmoid(float x) {
  return 1.0f / (1.0f + vector_exp(-x));
}

// log(1 + f) = f - s (f - 2 s^2/3 - 2 s^4/5 - ...) with s = f / (2 + f), which loses nothing
// near 1.
[[gnu::always_inline]] inline float small_log1p(float f) {
  const float s = f / (2.0f + f);
  const float z = s * s;
  float p = 2.0f / 11;
  p = p * z + 2.0f / 9;
  p = p * z + 2.0f / 7;
  p = p * z + 2.0f / 5;
  p = p * z + 2.0f / 3;
  return f - s * (f - p * z);
}

[[gnu::always_inline]] inline float vector_log(float x) {
  const bool subnormal = x < 1.17549435e-38f;
  const auto bits = std::bit_cast<std::int32_t>(subnormal ? x * 8388608.0f : x);
  // The mantissa is taken from [sqrt(1/2), sqrt(2)): 0x3f3504f3 is sqrt(1/2).
  const auto shifted =
      static_cast<std::int32_t>(static_cast<std::uint32_t>(bits) - 0x3f3504f3u);  // may wrap
  const float exponent = static_cast<float>((shifted >> 23) - (subnormal ? 23 : 0));
  const float f = std::bit_cast<float>((shifted & 0x7fffff) + 0x3f3504f3) - 1.0f;
  float y = exponent * 0.693359375f + (small_log1p(f) + exponent * -2.12194440e-4f);
  y = x == std::numeric_limits<float>::infinity() ? x : y;
  y = x == 0.0f ? -std::numeric_limits<float>::infinity() : y;
  y = x < 0.0f ? std::numeric_limits<float>::quiet_NaN() : y;
  return x != x ? x : y;
}

// The quotient corrects for what 1 + x loses; where 1 + x is x, it is infinite or lost nothing.
[[gnu::always_inline]] inline float vector_log1p(float x) {
  const float u = 1.0f + x;
  const float lost = u == 1.0f ? 1.0f : u - 1.0f;
  const float corrected = vector_log(u) * (x / lost);
  return (u == 1.0f) | (x == std::numeric_limits<float>::infinity()) ? x : corrected;
}

}  // namespace
}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
