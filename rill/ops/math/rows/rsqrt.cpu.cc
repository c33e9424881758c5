#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "rill/ops/math/rows/elementwise.h"
#include "rill/ops/math/rows/numeric.h"

#define HWY_TARGET_INCLUDE "rill/ops/math/rows/rsqrt.cpu.cc"
#define RILL_WIDE_LOOPS 1
#include "rill/ops/simd/each_target.h"

#include "rill/ops/math/rows/rows-inl.h"

HWY_BEFORE_NAMESPACE();
#include "rill/ops/simd/wide_vectors.h"
namespace rill::HWY_NAMESPACE {
namespace {

// Within 1.5 units in the last place, at half the price of a root and a division: a guess from the
// exponent (3.5 % off), then a cubic and a quadratic step of Newton's kind. e is how far
// s y^2 is from 1.
[[gnu::always_inline]] inline float vector_rsqrt(float x) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const bool subnormal = x < std::numeric_limits<float>::min();
  const float s = subnormal ? x * 16777216.0f : x;
  float y = std::bit_cast<float>(0x5f375a86 - (std::bit_cast<std::int32_t>(s) >> 1));
  float e = 1.0f - s * y * y;
  y += y * e * (0.5f + 0.375f * e);
  e = 1.0f - s * y * y;
  y += y * e * 0.5f;
  y = subnormal ? y * 4096.0f : y;
  y = x == kInfinity ? 0.0f : y;
  y = x == 0.0f ? std::bit_cast<float>(std::bit_cast<std::int32_t>(x) |
                                       std::bit_cast<std::int32_t>(kInfinity))
                : y;
  return (x < 0.0f) | (x != x) ? std::numeric_limits<float>::quiet_NaN() : y;
}

struct RsqrtOp {
  float operator()(float x) const { return vector_rsqrt(x); }
  template <class T>
  T operator()(T x) const {
    return T(1) / std::sqrt(x);
  }
};

}  // namespace

UnaryRows rsqrt_rows(DType type) {
  return pick_unary<RsqrtOp, float, double, complex64, complex128>(type, 1);
}

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

extern const OpDecl kRsqrt;

namespace {

RILL_DISPATCH_BY_TYPE(UnaryRows, find_rsqrt, rsqrt_rows);

constexpr KernelEntry kEntries[] = {
    unary_entry<find_rsqrt>(&kRsqrt, kFloatTypes | kComplexTypes),
};

}  // namespace

extern const KernelTable kRsqrtCpu{kEntries};

}  // namespace rill
#endif
