#include <algorithm>
#include <cmath>
#include <complex>

#include "rill/ops/math/elementwise.h"
#include "rill/ops/math/numeric.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "rill/ops/math/power.cpu.cc"
#include "rill/ops/simd/each_target.h"

#include "rill/ops/math/rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rill::HWY_NAMESPACE {
namespace {

// By squaring; negative exponents are refused before any row runs.
template <class T>
inline T integer_power(T base, T exponent) {
  T result = 1;
  for (auto e = static_cast<std::make_unsigned_t<T>>(exponent); e != 0; e >>= 1) {
    if ((e & 1) != 0) result = wrapping_mul(result, base);
    base = wrapping_mul(base, base);
  }
  return result;
}

struct PowOp {
  template <class T>
  T operator()(T x, T y) const {
    if constexpr (kIsInteger<T>)
      return integer_power(x, y);
    else
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
struct XlogyOp {
  template <class T>
  T operator()(T x, T y) const {
    return x == T(0) ? T(0) : wrapping_mul(x, std::log(y));
  }
};
struct Atan2Op {
  template <class T>
  T operator()(T y, T x) const {
    return std::atan2(y, x);
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
  BinaryRows rows =
      pick_one<PowOp, float, double, std::int32_t, std::int64_t, complex64, complex128>(type, 20);
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
BinaryRows xlogy_rows(DType type) { return pick_float_or_complex<XlogyOp>(type, 10); }
BinaryRows atan2_rows(DType type) { return pick_one<Atan2Op, float, double>(type, 20); }

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

extern const OpDecl kPow, kSquaredDifference, kDivNoNan, kMulNoNan, kXdivy, kXlogy, kAtan2;

namespace {

HWY_EXPORT(pow_rows);
HWY_EXPORT(squared_difference_rows);
HWY_EXPORT(div_no_nan_rows);
HWY_EXPORT(mul_no_nan_rows);
HWY_EXPORT(xdivy_rows);
HWY_EXPORT(xlogy_rows);
HWY_EXPORT(atan2_rows);

template <class T>
void require_not_negative(const void* y, std::size_t n) {
  const auto* values = static_cast<const T*>(y);
  require(std::none_of(values, values + n, [](T value) { return value < 0; }),
          "Integers to negative integer powers are not allowed");
}

BinaryRows find_pow(DType type) {
  BinaryRows rows = HWY_DYNAMIC_DISPATCH(pow_rows)(type);
  if (type == DType::i32) rows.check_y = require_not_negative<std::int32_t>;
  if (type == DType::i64) rows.check_y = require_not_negative<std::int64_t>;
  return rows;
}
BinaryRows find_squared_difference(DType type) {
  return HWY_DYNAMIC_DISPATCH(squared_difference_rows)(type);
}
BinaryRows find_div_no_nan(DType type) { return HWY_DYNAMIC_DISPATCH(div_no_nan_rows)(type); }
BinaryRows find_mul_no_nan(DType type) { return HWY_DYNAMIC_DISPATCH(mul_no_nan_rows)(type); }
BinaryRows find_xdivy(DType type) { return HWY_DYNAMIC_DISPATCH(xdivy_rows)(type); }
BinaryRows find_xlogy(DType type) { return HWY_DYNAMIC_DISPATCH(xlogy_rows)(type); }
BinaryRows find_atan2(DType type) { return HWY_DYNAMIC_DISPATCH(atan2_rows)(type); }

constexpr TypeSet kFloatOrComplex = kFloatTypes | kComplexTypes;
constexpr TypeSet kWithIntegers = kFloatOrComplex | DType::i32 | DType::i64;

constexpr KernelEntry kEntries[] = {
    binary_entry<find_pow>(&kPow, kWithIntegers),
    binary_entry<find_squared_difference>(&kSquaredDifference, kWithIntegers),
    binary_entry<find_div_no_nan>(&kDivNoNan, kFloatOrComplex),
    binary_entry<find_mul_no_nan>(&kMulNoNan, kFloatOrComplex),
    binary_entry<find_xdivy>(&kXdivy, kFloatOrComplex),
    binary_entry<find_xlogy>(&kXlogy, kFloatOrComplex),
    binary_entry<find_atan2>(&kAtan2, kFloatTypes),
};

}  // namespace

extern const KernelTable kPowerCpu{kEntries};

}  // namespace rill
#endif
