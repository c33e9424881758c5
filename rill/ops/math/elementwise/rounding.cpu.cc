#include <cmath>
#include <limits>

#include "rill/ops/math/rows/elementwise.h"

#define HWY_TARGET_INCLUDE "rill/ops/math/elementwise/rounding.cpu.cc"
#include "rill/ops/simd/each_target.h"

#include "rill/ops/math/rows/rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rill::HWY_NAMESPACE {
namespace {

struct FloorOp {
  template <class T>
  T operator()(T x) const {
    return std::floor(x);
  }
};
struct CeilOp {
  template <class T>
  T operator()(T x) const {
    return std::ceil(x);
  }
};
struct RoundOp {
  template <class T>
  T operator()(T x) const {
    if constexpr (std::is_integral_v<T>)
      return x;
    else
      return std::nearbyint(x);
  }
};
struct IsNanOp {
  template <class T>
  bool operator()(T x) const {
    return x != x;
  }
};
struct IsInfOp {
  template <class T>
  bool operator()(T x) const {
    return std::abs(x) == std::numeric_limits<T>::infinity();
  }
};
struct IsFiniteOp {
  template <class T>
  bool operator()(T x) const {
    return std::abs(x) < std::numeric_limits<T>::infinity();
  }
};

}  // namespace

UnaryRows floor_rows(DType type) { return pick_unary<FloorOp, float, double>(type); }
UnaryRows ceil_rows(DType type) { return pick_unary<CeilOp, float, double>(type); }
UnaryRows round_rows(DType type) {
  return pick_unary<RoundOp, float, double, std::int32_t, std::int64_t>(type);
}
UnaryRows is_nan_rows(DType type) { return pick_unary<IsNanOp, float, double>(type); }
UnaryRows is_inf_rows(DType type) { return pick_unary<IsInfOp, float, double>(type); }
UnaryRows is_finite_rows(DType type) { return pick_unary<IsFiniteOp, float, double>(type); }

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

extern const OpDecl kFloor, kCeil, kRint, kRound, kIsNan, kIsInf, kIsFinite;

namespace {

RILL_DISPATCH_BY_TYPE(UnaryRows, find_floor, floor_rows);
RILL_DISPATCH_BY_TYPE(UnaryRows, find_ceil, ceil_rows);
RILL_DISPATCH_BY_TYPE(UnaryRows, find_round, round_rows);
RILL_DISPATCH_BY_TYPE(UnaryRows, find_is_nan, is_nan_rows);
RILL_DISPATCH_BY_TYPE(UnaryRows, find_is_inf, is_inf_rows);
RILL_DISPATCH_BY_TYPE(UnaryRows, find_is_finite, is_finite_rows);

constexpr KernelEntry kEntries[] = {
    unary_entry<find_floor>(&kFloor, kFloatTypes),
    unary_entry<find_ceil>(&kCeil, kFloatTypes),
    unary_entry<find_round>(&kRint, kFloatTypes),
    unary_entry<find_round>(&kRound, kFloatTypes | DType::i32 | DType::i64),
    unary_entry<find_is_nan>(&kIsNan, kFloatTypes),
    unary_entry<find_is_inf>(&kIsInf, kFloatTypes),
    unary_entry<find_is_finite>(&kIsFinite, kFloatTypes),
};

}  // namespace

extern const KernelTable kRoundingCpu{kEntries};

}  // namespace rill
#endif
