#include "rill/ops/sparse/pair_checks.h"

#define HWY_TARGET_INCLUDE "rill/ops/sparse/pair_checks.cpu.cc"
#include "rill/ops/simd/each_target.h"

HWY_BEFORE_NAMESPACE();
namespace rill::HWY_NAMESPACE {
namespace {

template <class T>
PairChecks pairs_checked(const T* pairs, std::size_t count, const std::int64_t* limits, int by) {
  T least = 0, most[2] = {0, 0}, fall = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const T a = pairs[2 * i], b = pairs[2 * i + 1];
    least = a < least ? a : least;
    least = b < least ? b : least;
    most[0] = a > most[0] ? a : most[0];
    most[1] = b > most[1] ? b : most[1];
  }
  const T* number = pairs + by;
  for (std::size_t i = 1; i < count; ++i) fall |= number[2 * i] < number[2 * i - 2] ? 1 : 0;
  return {.inside = count == 0 || (least >= 0 && most[0] < limits[0] && most[1] < limits[1]),
          .ordered = fall == 0};
}

}  // namespace

PairChecks checked_pairs(DType dtype, const void* pairs, std::size_t count,
                         const std::int64_t* limits, int by) {
  return dtype == DType::i32
             ? pairs_checked(static_cast<const std::int32_t*>(pairs), count, limits, by)
             : pairs_checked(static_cast<const std::int64_t*>(pairs), count, limits, by);
}

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

HWY_EXPORT(checked_pairs);

PairChecks check_pairs(DType dtype, const void* pairs, std::size_t count,
                       const std::int64_t (&limits)[2], int by) {
  return HWY_DYNAMIC_DISPATCH(checked_pairs)(dtype, pairs, count, limits, by);
}

}  // namespace rill
#endif
