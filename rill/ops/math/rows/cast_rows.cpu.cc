#include "rill/ops/math/rows/cast_rows.h"

#include <limits>

#include "rill/ops/math/rows/numeric.h"

#define HWY_TARGET_INCLUDE "rill/ops/math/rows/cast_rows.cpu.cc"
#define RILL_WIDE_LOOPS 1  // only there do vectors of 64-bit integers convert
#include "rill/ops/simd/each_target.h"

#include "rill/ops/math/rows/rows-inl.h"

HWY_BEFORE_NAMESPACE();
#include "rill/ops/simd/wide_vectors.h"
namespace rill::HWY_NAMESPACE {
namespace {

// The value is replaced before the conversion, which would be undefined outside [low, high).
template <class I, class F>
inline I convert_within(F x, F low, F high) {
  const bool inside = (x >= low) & (x < high);
  return static_cast<I>(inside ? x : static_cast<F>(std::numeric_limits<I>::min()));
}

template <class To, class F>
inline To from_float(F x) {
  constexpr F k31 = 2147483648.0, k32 = 4294967296.0;
  constexpr F k63 = 9223372036854775808.0, k64 = 18446744073709551616.0;
  if constexpr (std::is_same_v<To, std::uint64_t>) {
    const bool upper = (x >= k63) & (x < k64);  // beyond int64, but not beyond uint64
    const auto lower = convert_within<std::int64_t>(upper ? x - k63 : x, -k63, k63);
    return static_cast<std::uint64_t>(lower) ^ (static_cast<std::uint64_t>(upper) << 63);
  } else if constexpr (std::is_same_v<To, std::int64_t>) {
    return convert_within<std::int64_t>(x, -k63, k63);
  } else if constexpr (std::is_same_v<To, std::uint32_t>) {
    const bool upper = (x >= k31) & (x < k32);
    const auto lower = convert_within<std::int32_t>(upper ? x - k31 : x, -k31, k31);
    return static_cast<std::uint32_t>(lower) ^ (static_cast<std::uint32_t>(upper) << 31);
  } else {
    return static_cast<To>(convert_within<std::int32_t>(x, -k31, k31));
  }
}

template <class To>
struct CastOp {
  template <class From>
  To operator()(From x) const {
    if constexpr (std::is_same_v<To, bool>)
      return x != From(0);
    else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>)
      return from_float<To>(x);
    else
      return static_cast<To>(x);
  }
};

template <class To>
UnaryRow pick(DType from) {
  return pick_unary<CastOp<To>, float, double, std::int8_t, std::int16_t, std::int32_t,
                    std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>(from)
      .row;
}

}  // namespace

// Signed and unsigned targets share rows, except for floats to 32 and 64 bits. A bool is a byte.
UnaryRow cast_row(DType from, DType to) {
  const bool from_float = from == DType::f32 || from == DType::f64;
  if (from == DType::boolean) from = DType::u8;
  if (from_float && to == DType::i32)
    return pick_unary<CastOp<std::int32_t>, float, double>(from).row;
  if (from_float && to == DType::i64)
    return pick_unary<CastOp<std::int64_t>, float, double>(from).row;
  switch (wrapping_type(to)) {
    case DType::f32:
      return pick<float>(from);
    case DType::f64:
      return pick<double>(from);
    case DType::u8:
      return pick<std::uint8_t>(from);
    case DType::u16:
      return pick<std::uint16_t>(from);
    case DType::u32:
      return pick<std::uint32_t>(from);
    case DType::u64:
      return pick<std::uint64_t>(from);
    case DType::boolean:
      return pick<bool>(from);
    default:
      return nullptr;
  }
}

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

HWY_EXPORT(cast_row);

UnaryRow find_cast_row(DType from, DType to) { return HWY_DYNAMIC_DISPATCH(cast_row)(from, to); }

}  // namespace rill
#endif
