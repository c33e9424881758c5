#include "rill/ops/math/special/special_rows.h"

#include <cmath>
#include <limits>

#include "rill/ops/math/rows/digamma.h"

#define HWY_TARGET_INCLUDE "rill/ops/math/special/special_rows.cpu.cc"
#define RILL_WIDE_LOOPS 1
#include "rill/ops/simd/each_target.h"

#include "rill/ops/math/rows/guarded_rows-inl.h"
#include "rill/ops/math/rows/rows-inl.h"
#include "rill/ops/math/rows/vector_double-inl.h"

HWY_BEFORE_NAMESPACE();
#include "rill/ops/simd/wide_vectors.h"
namespace rill::HWY_NAMESPACE {
namespace {

// For t >= 0, with u = 2 / (2 + t), it is u exp(p(u) - t^2), where p is fitted at Chebyshev's
// points for t <= 10.1; beyond, it is nothing to a float.
struct ErfcOp {
  float operator()(float x) const {
    constexpr double kTerms[] = {-0.07188767056711433, -0.14372009378022466, 0.180167607340584,
                                 0.14157039542972383,  -0.2517793600808097,  -0.051486176266708525,
                                 0.2958771158438543,   -0.03570968395441533, -0.4073148613589321,
                                 0.09153333410895556,  1.3686116680511824,   -0.5595379671847827};
    const double magnitude = std::abs(static_cast<double>(x));
    const double t = magnitude > 10.1 ? 10.1 : magnitude;
    const double u = 2.0 / (2.0 + t);
    const double beyond = split_polynomial(u - 0.5826446280991735, kTerms);
    const double y = u * vector_exp(beyond - t * t);
    return static_cast<float>(magnitude > 10.1 ? (x < 0 ? 2.0 : 0.0) : (x < 0 ? 2.0 - y : y));
  }
};

// Six steps of the recurrence at once: the sum of 1 / (x + k) is the slope of the logarithm of
// their product. Then the asymptotic series of digamma.h holds; from 6 on it does without steps.
struct Digamma {
  static bool easy(float x) { return (x > 0) & (x <= std::numeric_limits<float>::max()); }
  [[gnu::always_inline]] static float fast(float x) {
    constexpr double kProduct[] = {1, 15, 85, 225, 274, 120, 0};
    constexpr double kSlope[] = {6, 75, 340, 675, 548, 120};
    constexpr double kSeries[] = {-691.0 / 32760, 1.0 / 132,  -1.0 / 240,
                                  1.0 / 252,      -1.0 / 120, 1.0 / 12};
    const double d = x;
    const bool climbs = d < 6;
    const double start = climbs ? d : 1.0, at = climbs ? d + 6 : d;
    const double steps = polynomial(start, kSlope) / polynomial(start, kProduct);
    const double inverse = 1 / at, z = inverse * inverse;
    const double y = vector_log(at) - 0.5 * inverse - polynomial(z, kSeries) * z;
    return static_cast<float>(climbs ? y - steps : y);
  }
  static float slow(float x) { return static_cast<float>(digamma(x)); }
};

}  // namespace

UnaryRows float_erfc_row() { return {unary_row<ErfcOp, float, float>, 2.5}; }
UnaryRows float_digamma_row() { return {guarded_row<Digamma, float>, 3}; }

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

HWY_EXPORT(float_erfc_row);
HWY_EXPORT(float_digamma_row);

UnaryRows find_float_erfc_row() { return HWY_DYNAMIC_DISPATCH(float_erfc_row)(); }
UnaryRows find_float_digamma_row() { return HWY_DYNAMIC_DISPATCH(float_digamma_row)(); }

}  // namespace rill
#endif
