#include <limits>

#include "rill/ops/math/reduce/reduce.h"

#define HWY_TARGET_INCLUDE "rill/ops/math/reduce/reduce_min_max.cpu.cc"
#define RILL_WIDE_LOOPS 1
#include "rill/ops/simd/each_target.h"

#include "rill/ops/math/reduce/reduce_rows-inl.h"

HWY_BEFORE_NAMESPACE();
#include "rill/ops/simd/wide_vectors.h"
namespace rill::HWY_NAMESPACE {
namespace {

// The value below (or above) all others: minus infinity where there is one.
template <class T>
constexpr T lowest() {
  using Limits = std::numeric_limits<T>;
  return Limits::has_infinity ? static_cast<T>(-Limits::infinity()) : Limits::lowest();
}
template <class T>
constexpr T highest() {
  using Limits = std::numeric_limits<T>;
  return Limits::has_infinity ? Limits::infinity() : Limits::max();
}

// NaN wins from either side.
template <class T>
struct MaxOp {
  using Accumulator = T;
  static T identity() { return lowest<T>(); }
  static T load(T x) { return x; }
  static T join(T a, T b) { return (a >= b) | (a != a) ? a : b; }
};
template <class T>
struct MinOp {
  using Accumulator = T;
  static T identity() { return highest<T>(); }
  static T load(T x) { return x; }
  static T join(T a, T b) { return (a <= b) | (a != a) ? a : b; }
};

template <class T>
struct AllOp {
  using Accumulator = T;
  static T identity() { return true; }
  static T load(T x) { return x; }
  static T join(T a, T b) { return a & b; }
};
template <class T>
struct AnyOp {
  using Accumulator = T;
  static T identity() { return false; }
  static T load(T x) { return x; }
  static T join(T a, T b) { return a | b; }
};

template <template <class> class F>
ReduceRows pick(DType type) {
  return pick_reduce<F, float, double, std::int8_t, std::int16_t, std::int32_t, std::int64_t,
                     std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>(type);
}

}  // namespace

ReduceRows max_rows(DType type) { return pick<MaxOp>(type); }
ReduceRows min_rows(DType type) { return pick<MinOp>(type); }
ReduceRows all_rows(DType type) { return pick_reduce<AllOp, bool>(type); }
ReduceRows any_rows(DType type) { return pick_reduce<AnyOp, bool>(type); }

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

extern const OpDecl kMax, kMin, kAll, kAny;

namespace {

RILL_DISPATCH_BY_TYPE(ReduceRows, find_max, max_rows);
RILL_DISPATCH_BY_TYPE(ReduceRows, find_min, min_rows);
RILL_DISPATCH_BY_TYPE(ReduceRows, find_all, all_rows);
RILL_DISPATCH_BY_TYPE(ReduceRows, find_any, any_rows);

constexpr KernelEntry kEntries[] = {
    reduction_entry<find_max>(&kMax, kRealTypes),
    reduction_entry<find_min>(&kMin, kRealTypes),
    reduction_entry<find_all>(&kAll, {}),
    reduction_entry<find_any>(&kAny, {}),
};

}  // namespace

extern const KernelTable kReduceMinMaxCpu{kEntries};

}  // namespace rill
#endif
