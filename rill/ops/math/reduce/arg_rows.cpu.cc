#include "rill/ops/math/reduce/arg_rows.h"

#include <algorithm>
#include <limits>

#include "rill/tensor/half.h"
#include "rill/tensor/narrow_float.h"

#define HWY_TARGET_INCLUDE "rill/ops/math/reduce/arg_rows.cpu.cc"
#include "rill/ops/simd/each_target.h"

HWY_BEFORE_NAMESPACE();
namespace rill::HWY_NAMESPACE {
namespace {

template <bool largest, class V>
inline bool arg_better(V value, V best) {
  return largest ? value > best : value < best;
}

// What every number beats or equals.
template <bool largest, class V>
constexpr V arg_worst() {
  using Limits = std::numeric_limits<V>;
  if constexpr (Limits::has_infinity)
    return largest ? -Limits::infinity() : Limits::infinity();
  else
    return largest ? Limits::lowest() : Limits::max();
}

// The extreme value is found first, in lanes, then its place: both loops have nothing to wait for.
template <bool largest, class T>
std::int64_t arg_row(const void* data, std::int64_t length) {
  using V = Widened<T>;
  constexpr std::int64_t kLanes = 32;
  const auto* x = static_cast<const T*>(data);
  V lanes[kLanes];
  std::fill_n(lanes, kLanes, arg_worst<largest, V>());
  std::int64_t i = 0;
  for (; i + kLanes <= length; i += kLanes)
    for (std::int64_t j = 0; j < kLanes; ++j) {
      const V value = widened(x[i + j]);
      lanes[j] = arg_better<largest>(value, lanes[j]) ? value : lanes[j];
    }
  for (; i < length; ++i) {
    const V value = widened(x[i]);
    lanes[0] = arg_better<largest>(value, lanes[0]) ? value : lanes[0];
  }
  V best = lanes[0];
  for (const V lane : lanes) best = arg_better<largest>(lane, best) ? lane : best;
  for (i = 0; i + kLanes <= length; i += kLanes) {
    int found = 0;
    for (std::int64_t j = 0; j < kLanes; ++j) found |= widened(x[i + j]) == best;
    if (found) break;
  }
  for (; i < length; ++i)
    if (widened(x[i]) == best) return i;
  return 0;  // nothing but NaN
}

// Blocks of columns side by side.
template <bool largest, class T, class Place>
void arg_column_blocks(const void* data, std::int64_t length, std::int64_t stride,
                       std::int64_t columns, std::int64_t* places) {
  using V = Widened<T>;
  constexpr std::int64_t kBlock = 128;
  const auto* x = static_cast<const T*>(data);
  V best[kBlock];
  Place at[kBlock];
  for (std::int64_t c = 0; c < columns; c += kBlock) {
    const std::int64_t n = std::min(kBlock, columns - c);
    for (std::int64_t j = 0; j < n; ++j) best[j] = widened(x[c + j]);
    std::fill_n(at, n, Place{0});
    for (std::int64_t i = 1; i < length; ++i) {
      const T* row = x + i * stride + c;
      for (std::int64_t j = 0; j < n; ++j) {
        const V value = widened(row[j]);
        const bool better =
            arg_better<largest>(value, best[j]) | ((best[j] != best[j]) & (value == value));
        best[j] = better ? value : best[j];
        at[j] = better ? static_cast<Place>(i) : at[j];
      }
    }
    for (std::int64_t j = 0; j < n; ++j) places[c + j] = at[j];
  }
}

// Places are as wide as values where they may be, which suits vectors.
template <bool largest, class T>
void arg_columns(const void* data, std::int64_t length, std::int64_t stride, std::int64_t columns,
                 std::int64_t* places) {
  if (sizeof(Widened<T>) == 8 || length > INT32_MAX)
    arg_column_blocks<largest, T, std::int64_t>(data, length, stride, columns, places);
  else
    arg_column_blocks<largest, T, std::int32_t>(data, length, stride, columns, places);
}

template <bool largest, class... T>
ArgRows pick_arg(DType type) {
  ArgRows rows;
  ((dtype_of<T> == type ? void(rows = {arg_row<largest, T>, arg_columns<largest, T>}) : void()),
   ...);
  return rows;
}
template <bool largest>
ArgRows arg_rows(DType type) {
  return pick_arg<largest, float, double, half, bfloat16, std::int8_t, std::int16_t, std::int32_t,
                  std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>(type);
}

}  // namespace

ArgRows arg_max_rows(DType type) { return arg_rows<true>(type); }
ArgRows arg_min_rows(DType type) { return arg_rows<false>(type); }

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

RILL_DISPATCH_BY_TYPE(ArgRows, find_arg_max_rows, arg_max_rows);
RILL_DISPATCH_BY_TYPE(ArgRows, find_arg_min_rows, arg_min_rows);

}  // namespace rill
#endif
