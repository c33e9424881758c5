#include <bit>
#include <cmath>
#include <cstdint>

#include "rill/ops/math/rows/activation_rows.h"

#define HWY_TARGET_INCLUDE "rill/ops/math/rows/gelu_rows.cpu.cc"
#define RILL_WIDE_LOOPS 1
#include "rill/ops/simd/each_target.h"

#include "rill/ops/math/rows/polynomial-inl.h"
#include "rill/ops/math/rows/rows-inl.h"
#include "rill/ops/math/rows/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
#include "rill/ops/simd/wide_vectors.h"
namespace rill::HWY_NAMESPACE {
namespace {

// x plus x times a polynomial of its square below 15/16, else 1 - exp of a polynomial: both fitted
// at Chebyshev's points, within 1.6 units in the last place. From 4 on it is 1 in float. Since exp
// is of a number between -16 and -1 and small beside 1, it needs neither two factors nor all
// digits.
[[gnu::always_inline]] inline float vector_erf(float x) {
  constexpr float kNear[] = {-0.0005933305947110057f, 0.0049822148866951466f,
                             -0.026759440079331398f,  0.11281629651784897f,
                             -0.376124769449234f,     0.12837915122509003f};
  constexpr float kFar[] = {1.0745723102445481e-06f, -3.4909498936031014e-05f,
                            0.0005027988809160888f,  -0.004320141393691301f,
                            0.025178633630275726f,   -0.10790973901748657f,
                            -0.6341081857681274f,    -0.1289149522781372f};
  constexpr float kExp[] = {1.0f / 720, 1.0f / 120, 1.0f / 24, 1.0f / 6, 0.5f, 1.0f, 1.0f};
  constexpr float kShift = 12582912.0f + 127;  // the low bits of a sum are the exponent of 2^n
  const float magnitude = std::abs(x);
  const float near = split_polynomial(x * x, kNear) * x + x;
  const float t = magnitude > 4.0f ? 4.0f : magnitude;
  const float e = split_polynomial(t, kFar) * t - t;
  const float shifted = e * 1.44269504f + kShift;
  const float r = e - (shifted - kShift) * 0.69314718f;
  const float scale = std::bit_cast<float>(std::bit_cast<std::uint32_t>(shifted) << 23);
  const float far = std::copysign(1.0f - split_polynomial(r, kExp) * scale, x);
  return magnitude >= 0.9375f ? far : near;  // NaN is near
}

inline float erf_of(float x) { return vector_erf(x); }
inline double erf_of(double x) { return std::erf(x); }
inline float tanh_of(float x) { return vector_tanh(x); }
inline double tanh_of(double x) { return std::tanh(x); }

struct ErfOp {
  template <class T>
  T operator()(T x) const {
    return erf_of(x);
  }
};
struct GeluErfOp {
  template <class T>
  T operator()(T x) const {
    return x * (T(0.5) * (T(1) + erf_of(x * T(0.70710678118654752440))));
  }
};
struct GeluTanhOp {
  template <class T>
  T operator()(T x) const {
    const T inner = T(0.79788456080286535588) * (x + T(0.044715) * (x * x * x));
    return x * (T(0.5) * (T(1) + tanh_of(inner)));
  }
};

// dy times the slope at x.
struct GeluErfGradOp {
  float operator()(float dy, float x) const {
    const float bell = vector_exp(-0.5f * (x * x));
    const float below = 0.5f * (1.0f + vector_erf(x * 0.70710678f));
    return dy * (below + x * bell * 0.39894228f);
  }
};
struct GeluTanhGradOp {
  float operator()(float dy, float x) const {
    const float square = x * x;
    const float t = vector_tanh(0.79788456f * (x + 0.044715f * (square * x)));
    const float inner_slope = 0.79788456f + 0.10703222f * square;
    return dy * (0.5f * (1.0f + t) + 0.5f * x * (1.0f - t * t) * inner_slope);
  }
};

template <class F>
UnaryRows pick(DType type, double cost) {
  return pick_unary<F, float, double>(type, type == DType::f32 ? cost : 30);
}

}  // namespace

UnaryRows erf_rows(DType type) { return pick<ErfOp>(type, 2); }
UnaryRows gelu_erf_rows(DType type) { return pick<GeluErfOp>(type, 2); }
UnaryRows gelu_tanh_rows(DType type) { return pick<GeluTanhOp>(type, 2); }
BinaryRows gelu_erf_grad_rows(DType type) { return pick_one<GeluErfGradOp, float>(type, 2); }
BinaryRows gelu_tanh_grad_rows(DType type) { return pick_one<GeluTanhGradOp, float>(type, 2); }

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {
RILL_DISPATCH_BY_TYPE(UnaryRows, find_erf_rows, erf_rows);
RILL_DISPATCH_BY_TYPE(UnaryRows, find_gelu_erf_rows, gelu_erf_rows);
RILL_DISPATCH_BY_TYPE(UnaryRows, find_gelu_tanh_rows, gelu_tanh_rows);
RILL_DISPATCH_BY_TYPE(BinaryRows, find_gelu_erf_grad_rows, gelu_erf_grad_rows);
RILL_DISPATCH_BY_TYPE(BinaryRows, find_gelu_tanh_grad_rows, gelu_tanh_grad_rows);

}  // namespace rill
#endif
