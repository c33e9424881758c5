#include <cmath>

#include "rill/ops/math/activation_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "rill/ops/math/gelu_rows.cpu.cc"
#define RILL_WIDE_LOOPS 1
#include "rill/ops/simd/each_target.h"

#include "rill/ops/math/rows-inl.h"
#include "rill/ops/math/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
#include "rill/ops/simd/wide_vectors.h"
namespace rill::HWY_NAMESPACE {
namespace {

// x plus x times a polynomial of its square below 15/16, else 1 - exp of a polynomial: both fitted
// at Chebyshev's points, within 1.2 units in the last place. From 4 on it is 1 in float.
[[gnu::always_inline]] inline float vector_erf(float x) {
  const float s = x * x, magnitude = std::abs(x);
  const float t = magnitude > 4.0f ? 4.0f : magnitude;
  float p = 8.29121854621917e-05f;
  p = p * s - 0.0008124384912662208f;
  p = p * s + 0.005199459381401539f;
  p = p * s - 0.02685878798365593f;
  p = p * s + 0.11283685266971588f;
  p = p * s - 0.37612631916999817f;
  p = p * s + 0.12837916612625122f;
  const float near = p * x + x;
  float q = 2.8726685741276015e-07f;
  q = q * t - 4.683621682488592e-06f;
  q = q * t + 1.4243363693822175e-05f;
  q = q * t + 0.0002700048789847642f;
  q = q * t - 0.003652820596471429f;
  q = q * t + 0.02399616315960884f;
  q = q * t - 0.1066480278968811f;
  q = q * t - 0.6348478198051453f;
  q = q * t - 0.1287328153848648f;
  const float far = std::copysign(1.0f - vector_exp(q * t - t), x);
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
namespace {

HWY_EXPORT(erf_rows);
HWY_EXPORT(gelu_erf_rows);
HWY_EXPORT(gelu_tanh_rows);
HWY_EXPORT(gelu_erf_grad_rows);
HWY_EXPORT(gelu_tanh_grad_rows);

}  // namespace

UnaryRows find_erf_rows(DType type) { return HWY_DYNAMIC_DISPATCH(erf_rows)(type); }
UnaryRows find_gelu_erf_rows(DType type) { return HWY_DYNAMIC_DISPATCH(gelu_erf_rows)(type); }
UnaryRows find_gelu_tanh_rows(DType type) { return HWY_DYNAMIC_DISPATCH(gelu_tanh_rows)(type); }
BinaryRows find_gelu_erf_grad_rows(DType type) {
  return HWY_DYNAMIC_DISPATCH(gelu_erf_grad_rows)(type);
}
BinaryRows find_gelu_tanh_grad_rows(DType type) {
  return HWY_DYNAMIC_DISPATCH(gelu_tanh_grad_rows)(type);
}

}  // namespace rill
#endif
