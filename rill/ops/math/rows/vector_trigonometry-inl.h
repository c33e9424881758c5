// Branch-free trigonometric functions of float that the compiler can vectorise,
// within about two units in the last place and with the same bits on every instruction set. What
// would lose digits in float is computed in double. Include it after rill/ops/simd/each_target.h.

#if defined(RILL_OPS_MATH_VECTOR_TRIGONOMETRY_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RILL_OPS_MATH_VECTOR_TRIGONOMETRY_INL_H
#undef RILL_OPS_MATH_VECTOR_TRIGONOMETRY_INL_H
#else
#define RILL_OPS_MATH_VECTOR_TRIGONOMETRY_INL_H
#endif

#include "rill/ops/math/rows/vector_double-inl.h"

HWY_BEFORE_NAMESPACE();
#include "rill/ops/simd/wide_vectors.h"
namespace rill::HWY_NAMESPACE {
namespace {

// Up to here n times the upper part of pi/2 is exact; NaN is within.
inline constexpr float kReducible = 0x1p20f;
[[gnu::always_inline]] inline bool reducible(float x) { return !(std::abs(x) > kReducible); }

// x = n pi/2 + r with |r| <= pi/4; the low bits hold n.
struct Quadrant {
  double r;
  std::uint64_t n;
};
[[gnu::always_inline]] inline Quadrant reduce_by_half_pi(float x) {
  constexpr double kShift = 0x1.8p52;
  const double shifted = x * 0.6366197723675814 + kShift;
  const double n = shifted - kShift;
  return {(x - n * 1.5707963267341256) - n * 6.077100506506192e-11,
          std::bit_cast<std::uint64_t>(shifted)};
}

// For |r| <= pi/4, of r and of its square.
[[gnu::always_inline]] inline double small_sin(double r, double z) {
  constexpr double kTerms[] = {2.724962008007533e-06, -0.00019840084376422702, 0.008333331870341349,
                               -0.16666666663844049};
  return r * (polynomial(z, kTerms) * z + 1.0);  // -0 stays
}
[[gnu::always_inline]] inline double small_cos(double z) {
  constexpr double kTerms[] = {-2.730070403808665e-07,
                               2.480059840835012e-05,
                               -0.0013888887668370663,
                               0.041666666664311826,
                               -0.5,
                               1.0};
  return polynomial(z, kTerms);
}

// The sine of n quarter turns and r: of double, and as exact as a float needs it.
[[gnu::always_inline]] inline double sin_of(double r, std::uint64_t n) {
  const double z = r * r;
  const double y = (n & 1) != 0 ? small_cos(z) : small_sin(r, z);
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(y) ^ (n & 2) << 62);
}
[[gnu::always_inline]] inline float float_sin_of(double reduced, std::uint64_t turns) {
  constexpr float kSine[] = {-0.00019587638962548226f, 0.008332747034728527f, -0.166666641831398f};
  constexpr float kCosine[] = {2.4547689463361166e-05f, -0.0013888301327824593f,
                               0.0416666641831398f};
  const auto r = static_cast<float>(reduced);
  const auto n = static_cast<std::uint32_t>(turns);
  const float z = r * r;
  const float sine = polynomial(z, kSine) * z * r + r;
  const float cosine = polynomial(z, kCosine) * (z * z) + (1.0f - 0.5f * z);
  const float y = (n & 1) != 0 ? cosine : sine;
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(y) ^ (n & 2) << 30);
}
[[gnu::always_inline]] inline float vector_sin(float x) {
  const auto [r, n] = reduce_by_half_pi(x);
  return x == 0.0f ? x : float_sin_of(r, n);  // -0 stays
}
[[gnu::always_inline]] inline float vector_cos(float x) {
  const auto [r, n] = reduce_by_half_pi(x);
  return float_sin_of(r, n + 1);
}
[[gnu::always_inline]] inline float vector_tan(float x) {
  const auto [r, n] = reduce_by_half_pi(x);
  const double s = small_sin(r, r * r), c = small_cos(r * r);
  const bool odd = (n & 1) != 0;
  return static_cast<float>((odd ? -c : s) / (odd ? s : c));
}

// asin(t) - t for |t| <= 1/2.
[[gnu::always_inline]] inline float asin_excess(float t, float z) {
  constexpr float kTerms[] = {0.03369084745645523f, 0.017149237915873528f, 0.031100662425160408f,
                              0.04459940269589424f, 0.07500094175338745f,  0.1666666567325592f};
  return polynomial(z, kTerms) * (z * t);
}
// Beyond 1/2, with t = sqrt((1 - |x|) / 2): asin is pi/2 - 2 asin(t). Before, t is what is `near`.
struct AsinPart {
  bool far;
  float t, excess;
};
[[gnu::always_inline]] inline AsinPart asin_part(float x, float near) {
  const float magnitude = std::abs(x);
  const bool far = magnitude > 0.5f;
  const float z = far ? 0.5f * (1.0f - magnitude) : x * x;
  const float t = far ? std::sqrt(z) : near;
  return {far, t, asin_excess(t, z)};
}
// Pi/2 comes in two parts.
[[gnu::always_inline]] inline float vector_asin(float x) {
  const auto [far, t, excess] = asin_part(x, std::abs(x));
  const float y = far ? 1.5707963705062866f - (2.0f * t + (2.0f * excess + 4.371138828673793e-08f))
                      : t + excess;
  return std::copysign(y, x);
}
[[gnu::always_inline]] inline float vector_acos(float x) {
  const auto [far, t, excess] = asin_part(x, x);
  const float to_one = 2.0f * t + 2.0f * excess;
  const float to_minus_one = 3.1415927410125732f - (to_one + 8.742277657347586e-08f);
  const float near = 1.5707963705062866f - (t + (excess + 4.371138828673793e-08f));
  return far ? (x < 0.0f ? to_minus_one : to_one) : near;
}

// For 0 <= t <= 1.
[[gnu::always_inline]] inline float small_atan(float t) {
  constexpr float kTerms[] = {0.001488691894337535f, -0.00914462935179472f, 0.026305001229047775f,
                              -0.04896051436662674f, 0.07031914591789246f,  -0.08931826800107956f,
                              0.11088261753320694f,  -0.14284004271030426f, 0.19999949634075165f,
                              -0.3333333432674408f};
  const float z = t * t;
  return t + polynomial(z, kTerms) * (z * t);
}
[[gnu::always_inline]] inline float vector_atan(float x) {
  const float magnitude = std::abs(x);
  const bool far = magnitude > 1.0f;
  const float near = small_atan(far ? 1.0f / magnitude : magnitude);
  const float y = far ? 1.5707963705062866f - (near + 4.371138828673793e-08f) : near;
  return std::copysign(y, x);
}
[[gnu::always_inline]] inline float vector_atan2(float y, float x) {
  const float ax = std::abs(x), ay = std::abs(y);
  const bool steep = ay > ax;
  const float above = steep ? ax : ay, below = steep ? ay : ax;
  const float t = above == below ? (above == 0.0f ? 0.0f : 1.0f) : above / below;
  float angle = small_atan(t);
  angle = steep ? 1.5707963705062866f - (angle + 4.371138828673793e-08f) : angle;
  const bool behind = std::bit_cast<std::int32_t>(x) < 0;  // also for -0
  angle = behind ? 3.1415927410125732f - (angle + 8.742277657347586e-08f) : angle;
  return (x != x) | (y != y) ? x + y : std::copysign(angle, y);
}

}  // namespace
}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
