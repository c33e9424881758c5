// Quotients of integers in loops that the compiler can vectorise: include it after
// rill/ops/simd/each_target.h.

#if defined(RILL_OPS_MATH_INTEGER_QUOTIENT_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RILL_OPS_MATH_INTEGER_QUOTIENT_INL_H
#undef RILL_OPS_MATH_INTEGER_QUOTIENT_INL_H
#else
#define RILL_OPS_MATH_INTEGER_QUOTIENT_INL_H
#endif

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "rill/ops/math/rows/numeric.h"

HWY_BEFORE_NAMESPACE();
#include "rill/ops/simd/wide_vectors.h"
namespace rill::HWY_NAMESPACE {
namespace {

// Zero divisors of integers are refused before any row runs; the quotient of the most negative
// number by -1 wraps instead of trapping.
template <class T>
inline T truncated_quotient(T x, T y) {
  if constexpr (std::is_signed_v<T>)
    return y == T(-1) ? wrapping_sub(T(0), x) : static_cast<T>(x / y);
  else
    return static_cast<T>(x / y);
}

template <class T>
inline bool signs_differ(T a, T b) {
  return (a < T(0)) != (b < T(0));
}

// Vectors divide floats alone. A float with twice the digits of an integer is never rounded across
// a whole number: the quotient lies at least 1 / y from it, or on it.
template <class T>
using Quotient = std::conditional_t<(sizeof(T) < 4), float, double>;
template <class T>
inline constexpr bool kDividesAsFloat = sizeof(T) < 4 || std::is_same_v<T, std::int32_t>;

template <bool floor, class T>
[[gnu::always_inline]] inline T quotient_by_float(T x, T y) {
  using Q = Quotient<T>;
  const bool negates = std::is_same_v<T, std::int32_t> && y == T(-1);  // may wrap
  const Q q = static_cast<Q>(x) / static_cast<Q>(negates ? T(1) : y);
  const auto whole = static_cast<std::int32_t>(floor ? std::floor(q) : q);
  return negates ? wrapping_sub(T(0), x) : static_cast<T>(whole);
}

template <class T>
inline T floored_quotient(T x, T y) {
  const T quotient = truncated_quotient(x, y);
  const T rest = wrapping_sub(x, wrapping_mul(quotient, y));
  return rest != T(0) && signs_differ(rest, y) ? wrapping_sub(quotient, T(1)) : quotient;
}

// Truncated or floored quotients of integers, and what they leave.
template <bool floor>
struct QuotientOp {
  template <class T>
  T operator()(T x, T y) const {
    if constexpr (kDividesAsFloat<T>)
      return quotient_by_float<floor>(x, y);
    else
      return floor ? floored_quotient(x, y) : truncated_quotient(x, y);
  }
};
template <bool floor>
struct RestOp {
  template <class T>
  T operator()(T x, T y) const {
    return wrapping_sub(x, wrapping_mul(QuotientOp<floor>()(x, y), y));
  }
};

// int64 in the range of int32, but for its lowest number, is divided as that.
template <class F>
struct ShortLong {
  static bool fits(std::int64_t x) { return (x > -0x80000000ll) & (x < 0x80000000ll); }
  static bool easy(std::int64_t x, std::int64_t y) { return fits(x) & fits(y); }
  static std::int64_t fast(std::int64_t x, std::int64_t y) {
    return F()(static_cast<std::int32_t>(x), static_cast<std::int32_t>(y));
  }
  static std::int64_t slow(std::int64_t x, std::int64_t y) { return F()(x, y); }
};

}  // namespace
}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
