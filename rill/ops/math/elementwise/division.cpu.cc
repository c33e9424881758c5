#include <cmath>
#include <limits>

#include "rill/ops/math/rows/elementwise.h"
#include "rill/ops/math/rows/numeric.h"

#define HWY_TARGET_INCLUDE "rill/ops/math/elementwise/division.cpu.cc"
#define RILL_WIDE_LOOPS 1
#include "rill/ops/simd/each_target.h"

#include "rill/ops/math/rows/guarded_rows-inl.h"
#include "rill/ops/math/rows/integer_quotient-inl.h"
#include "rill/ops/math/rows/rows-inl.h"

HWY_BEFORE_NAMESPACE();
#include "rill/ops/simd/wide_vectors.h"
namespace rill::HWY_NAMESPACE {
namespace {

struct DivOp {
  template <class T>
  T operator()(T x, T y) const {
    return x / y;
  }
};
struct FloorDivOp {
  template <class T>
  T operator()(T x, T y) const {
    return std::floor(x / y);
  }
};
struct FmodOp {
  double operator()(double x, double y) const { return std::fmod(x, y); }
};
// With a quotient of few digits, its product with y and the difference are exact in double.
struct FloatFmod {
  static bool easy(float x, float y) {
    return (std::abs(static_cast<double>(x)) < 0x1p28 * std::abs(static_cast<double>(y))) &
           (std::abs(y) <= std::numeric_limits<float>::max());
  }
  static float fast(float x, float y) {
    const double q = std::trunc(static_cast<double>(x) / static_cast<double>(y));
    return std::copysign(static_cast<float>(x - q * y), x);
  }
  static float slow(float x, float y) { return std::fmod(x, y); }
};

template <class T>
inline T floored(T rest, T y) {
  return (rest != T(0)) & signs_differ(rest, y) ? rest + y : rest;
}
struct FloorFmodOp {
  double operator()(double x, double y) const { return floored(std::fmod(x, y), y); }
};
struct FloatFloorFmod {
  static bool easy(float x, float y) { return FloatFmod::easy(x, y); }
  static float fast(float x, float y) { return floored(FloatFmod::fast(x, y), y); }
  static float slow(float x, float y) { return floored(FloatFmod::slow(x, y), y); }
};

template <class F, class... T>
BinaryRows pick_integer(DType type) {
  if (type == DType::i64) return {.both = guarded_row<ShortLong<F>, std::int64_t>, .cost = 2};
  return pick_one<F, std::int32_t, T...>(type, 1);
}
template <class F>
BinaryRows pick_every_integer(DType type) {
  return pick_integer<F, std::int8_t, std::int16_t, std::uint8_t, std::uint16_t, std::uint32_t,
                      std::uint64_t>(type);
}

}  // namespace

BinaryRows quotient_rows(DType type) {
  if (kIntTypes.contains(type)) return pick_every_integer<QuotientOp<false>>(type);
  return pick_three<DivOp, float, double, complex64, complex128>(type);
}
BinaryRows floor_quotient_rows(DType type) {
  if (kIntTypes.contains(type)) return pick_every_integer<QuotientOp<true>>(type);
  return pick_three<FloorDivOp, float, double>(type);
}
BinaryRows remainder_rows(DType type) {
  if (kIntTypes.contains(type)) return pick_integer<RestOp<false>>(type);
  if (type == DType::f32) return {.both = guarded_row<FloatFmod, float>, .cost = 1.5};
  return pick_one<FmodOp, double>(type, 10);
}
BinaryRows floor_remainder_rows(DType type) {
  if (kIntTypes.contains(type)) return pick_integer<RestOp<true>>(type);
  if (type == DType::f32) return {.both = guarded_row<FloatFloorFmod, float>, .cost = 1.5};
  return pick_one<FloorFmodOp, double>(type, 10);
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
  int zero = 0;  // the loop looks at all, several at a time
  for (std::size_t i = 0; i < n; ++i) zero |= values[i] == T(0) ? 1 : 0;
  require(zero == 0, "Integer division by zero");
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
