#include <algorithm>
#include <cmath>

#include "rill/ops/math/elementwise.h"
#include "rill/ops/math/numeric.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "rill/ops/math/division.cpu.cc"
#include "rill/ops/simd/each_target.h"

#include "rill/ops/math/rows-inl.h"

HWY_BEFORE_NAMESPACE();
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

struct DivOp {
  template <class T>
  T operator()(T x, T y) const {
    if constexpr (kIsInteger<T>)
      return truncated_quotient(x, y);
    else
      return x / y;
  }
};

struct TruncateModOp {
  template <class T>
  T operator()(T x, T y) const {
    if constexpr (kIsInteger<T>)
      return wrapping_sub(x, wrapping_mul(truncated_quotient(x, y), y));
    else
      return std::fmod(x, y);
  }
};

struct FloorDivOp {
  template <class T>
  T operator()(T x, T y) const {
    if constexpr (kIsInteger<T>) {
      const T quotient = truncated_quotient(x, y);
      const T rest = wrapping_sub(x, wrapping_mul(quotient, y));
      return rest != T(0) && signs_differ(rest, y) ? wrapping_sub(quotient, T(1)) : quotient;
    } else {
      return std::floor(x / y);
    }
  }
};

struct FloorModOp {
  template <class T>
  T operator()(T x, T y) const {
    const T rest = TruncateModOp()(x, y);
    return rest != T(0) && signs_differ(rest, y) ? wrapping_add(rest, y) : rest;
  }
};

template <class F>
BinaryRows pick_integer(DType type) {
  return pick_one<F, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                  std::uint16_t, std::uint32_t, std::uint64_t>(type, 2);
}

}  // namespace

BinaryRows quotient_rows(DType type) {
  if (kIntTypes.contains(type)) return pick_integer<DivOp>(type);
  return pick_three<DivOp, float, double, complex64, complex128>(type);
}
BinaryRows floor_quotient_rows(DType type) {
  if (kIntTypes.contains(type)) return pick_integer<FloorDivOp>(type);
  return pick_three<FloorDivOp, float, double>(type);
}
BinaryRows remainder_rows(DType type) {
  return pick_one<TruncateModOp, float, double, std::int32_t, std::int64_t>(type, 5);
}
BinaryRows floor_remainder_rows(DType type) {
  return pick_one<FloorModOp, float, double, std::int32_t, std::int64_t>(type, 5);
}

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

extern const OpDecl kDiv, kRealDiv, kFloorDiv, kTruncateDiv, kMod, kFloorMod, kTruncateMod;

namespace {

HWY_EXPORT(quotient_rows);
HWY_EXPORT(floor_quotient_rows);
HWY_EXPORT(remainder_rows);
HWY_EXPORT(floor_remainder_rows);

template <class T>
void require_no_zero(const void* y, std::size_t n) {
  const auto* values = static_cast<const T*>(y);
  require(std::find(values, values + n, T(0)) == values + n, "Integer division by zero");
}

BinaryRows checked(BinaryRows rows, DType type) {
  if (!kIntTypes.contains(type)) return rows;
  switch (element_size(type)) {
    case 1:
      rows.check_y = require_no_zero<std::uint8_t>;
      break;
    case 2:
      rows.check_y = require_no_zero<std::uint16_t>;
      break;
    case 4:
      rows.check_y = require_no_zero<std::uint32_t>;
      break;
    default:
      rows.check_y = require_no_zero<std::uint64_t>;
      break;
  }
  return rows;
}

BinaryRows find_div(DType type) { return checked(HWY_DYNAMIC_DISPATCH(quotient_rows)(type), type); }
BinaryRows find_floor_div(DType type) {
  return checked(HWY_DYNAMIC_DISPATCH(floor_quotient_rows)(type), type);
}
BinaryRows find_mod(DType type) {
  return checked(HWY_DYNAMIC_DISPATCH(remainder_rows)(type), type);
}
BinaryRows find_floor_mod(DType type) {
  return checked(HWY_DYNAMIC_DISPATCH(floor_remainder_rows)(type), type);
}

constexpr TypeSet kModTypes = kFloatTypes | DType::i32 | DType::i64;

constexpr KernelEntry kEntries[] = {
    binary_entry<find_div>(&kDiv, kNumberTypes),
    binary_entry<find_div>(&kRealDiv, kFloatTypes | kComplexTypes),
    binary_entry<find_floor_div>(&kFloorDiv, kRealTypes),
    binary_entry<find_div>(&kTruncateDiv, kIntTypes),
    binary_entry<find_mod>(&kMod, kModTypes),
    binary_entry<find_floor_mod>(&kFloorMod, kModTypes),
    binary_entry<find_mod>(&kTruncateMod, kModTypes),
};

}  // namespace

extern const KernelTable kDivisionCpu{kEntries};

}  // namespace rill
#endif
