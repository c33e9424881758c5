#include <algorithm>
#include <cmath>
#include <complex>

#include "rill/ops/math/rows/elementwise.h"
#include "rill/ops/math/rows/exponential_rows.h"
#include "rill/ops/math/rows/numeric.h"
#include "rill/ops/math/rows/trigonometry_rows.h"

#define HWY_TARGET_INCLUDE "rill/ops/math/elementwise/power.cpu.cc"
#include "rill/ops/simd/each_target.h"

#include "rill/ops/math/rows/rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rill::HWY_NAMESPACE {
namespace {

constexpr std::size_t kPowerBlock = 128;

// By squaring, one bit of all exponents of a block at a time; negative ones are refused before any
// row runs.
template <class T>
void integer_power_block(T* out, const T* x, const T* y, std::size_t n) {
  using U = std::make_unsigned_t<T>;
  U base[kPowerBlock], exponent[kPowerBlock], result[kPowerBlock];
  U bits = 0;
  for (std::size_t i = 0; i < n; ++i) {
    base[i] = static_cast<U>(x[i]);
    exponent[i] = static_cast<U>(y[i]);
    result[i] = 1;
    bits |= exponent[i];
  }
  for (; bits != 0; bits >>= 1)
    for (std::size_t i = 0; i < n; ++i) {
      const U factor = (exponent[i] & 1) != 0 ? base[i] : 1;
      result[i] *= factor;
      base[i] *= base[i];
      exponent[i] >>= 1;
    }
  for (std::size_t i = 0; i < n; ++i) out[i] = static_cast<T>(result[i]);
}
template <class T>
void integer_power_row(void* out, const void* x, const void* y, std::size_t n) {
  for (std::size_t i = 0; i < n; i += kPowerBlock)
    integer_power_block(static_cast<T*>(out) + i, static_cast<const T*>(x) + i,
                        static_cast<const T*>(y) + i, std::min(kPowerBlock, n - i));
}

struct PowOp {
  template <class T>
  T operator()(T x, T y) const {
    return std::pow(x, y);
  }
};
struct SquaredDifferenceOp {
  template <class T>
  T operator()(T x, T y) const {
    const T d = wrapping_sub(x, y);
    if constexpr (kIsComplex<T>)
      return d.real() * d.real() + d.imag() * d.imag();
    else
      return wrapping_mul(d, d);
  }
};
struct DivNoNanOp {
  template <class T>
  T operator()(T x, T y) const {
    return y == T(0) ? T(0) : x / y;
  }
};
struct MulNoNanOp {
  template <class T>
  T operator()(T x, T y) const {
    return y == T(0) ? T(0) : wrapping_mul(x, y);
  }
};
struct XdivyOp {
  template <class T>
  T operator()(T x, T y) const {
    return x == T(0) ? T(0) : x / y;
  }
};
// A small whole power of floats, as products of doubles: rounded once, as pow is.
template <int exponent>
void whole_power_row(float* out, const float* x, std::size_t n) {
#pragma GCC ivdep
  for (std::size_t i = 0; i < n; ++i) {
    const double base = x[i];
    double power = base;
    for (int e = 1; e < exponent; ++e) power *= base;
    out[i] = static_cast<float>(power);
  }
}

void pow_scalar_y(void* out, const void* x, const void* y, std::size_t n) {
  auto* r = static_cast<float*>(out);
  const auto* p = static_cast<const float*>(x);
  const float exponent = *static_cast<const float*>(y);
  if (exponent == 2) return whole_power_row<2>(r, p, n);
  if (exponent == 3) return whole_power_row<3>(r, p, n);
  if (exponent == 4) return whole_power_row<4>(r, p, n);
  for (std::size_t i = 0; i < n; ++i) r[i] = std::pow(p[i], exponent);
}

template <class F>
BinaryRows pick_float_or_complex(DType type, double cost) {
  return pick_one<F, float, double, complex64, complex128>(type, cost);
}

}  // namespace

BinaryRows pow_rows(DType type) {
  if (type == DType::i32) return {.both = integer_power_row<std::int32_t>, .cost = 2};
  if (type == DType::i64) return {.both = integer_power_row<std::int64_t>, .cost = 4};
  BinaryRows rows = pick_float_or_complex<PowOp>(type, 20);
  if (type == DType::f32) rows.scalar_y = pow_scalar_y;
  return rows;
}
BinaryRows squared_difference_rows(DType type) {
  return pick_three<SquaredDifferenceOp, float, double, std::int32_t, std::int64_t, complex64,
                    complex128>(type);
}
BinaryRows div_no_nan_rows(DType type) { return pick_float_or_complex<DivNoNanOp>(type, 0.5); }
BinaryRows mul_no_nan_rows(DType type) { return pick_float_or_complex<MulNoNanOp>(type, 0.5); }
BinaryRows xdivy_rows(DType type) { return pick_float_or_complex<XdivyOp>(type, 0.5); }

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

extern const OpDecl kPow, kSquaredDifference, kDivNoNan, kMulNoNan, kXdivy, kXlogy, kAtan2;

namespace {

HWY_EXPORT(pow_rows);

template <class T>
void require_not_negative(const void* y, std::size_t n) {
  const auto* values = static_cast<const T*>(y);
  T signs = 0;
  for (std::size_t i = 0; i < n; ++i) signs |= values[i];
  require(signs >= 0, "Integers to negative integer powers are not allowed");
}

BinaryRows find_pow(DType type) {
  BinaryRows rows = HWY_DYNAMIC_DISPATCH(pow_rows)(type);
  if (type == DType::i32) rows.check_y = require_not_negative<std::int32_t>;
  if (type == DType::i64) rows.check_y = require_not_negative<std::int64_t>;
  return rows;
}
RILL_DISPATCH_BY_TYPE(BinaryRows, find_squared_difference, squared_difference_rows);
RILL_DISPATCH_BY_TYPE(BinaryRows, find_div_no_nan, div_no_nan_rows);
RILL_DISPATCH_BY_TYPE(BinaryRows, find_mul_no_nan, mul_no_nan_rows);
RILL_DISPATCH_BY_TYPE(BinaryRows, find_xdivy, xdivy_rows);

constexpr TypeSet kFloatOrComplex = kFloatTypes | kComplexTypes;
constexpr TypeSet kWithIntegers = kFloatOrComplex | DType::i32 | DType::i64;

constexpr KernelEntry kEntries[] = {
    binary_entry<find_pow>(&kPow, kWithIntegers),
    binary_entry<find_squared_difference>(&kSquaredDifference, kWithIntegers),
    binary_entry<find_div_no_nan>(&kDivNoNan, kFloatOrComplex),
    binary_entry<find_mul_no_nan>(&kMulNoNan, kFloatOrComplex),
    binary_entry<find_xdivy>(&kXdivy, kFloatOrComplex),
    binary_entry<find_xlogy_rows>(&kXlogy, kFloatOrComplex),
    binary_entry<find_atan2_rows>(&kAtan2, kFloatTypes),
};

}  // namespace

extern const KernelTable kPowerCpu{kEntries};

}  // namespace rill
#endif
