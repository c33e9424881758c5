#define HWY_TARGET_INCLUDE "rill/ops/eight_bit/word_rows.cpu.cc"
#define RILL_WIDE_LOOPS
#include "rill/ops/eight_bit/word_rows.h"

#include <algorithm>

#include "rill/ops/simd/each_target.h"

HWY_BEFORE_NAMESPACE();
#include "rill/ops/simd/wide_vectors.h"
namespace rill::HWY_NAMESPACE {

void move_row(std::uint8_t* __restrict out, const std::int32_t* __restrict x, std::size_t n,
              const FixedPointMove& move) {
  const std::int64_t scale = move.scale, offset = move.offset, lowest = move.lowest,
                     highest = move.highest;
  for (std::size_t i = 0; i < n; ++i) {
    const std::int64_t level = std::min(std::max<std::int64_t>(x[i], lowest), highest);
    const std::int64_t moved = ((level * scale >> 32) + offset) >> 16;
    out[i] =
        static_cast<std::uint8_t>(std::min<std::int64_t>(std::max<std::int64_t>(moved, 0), 255));
  }
}

void range_row(const std::int32_t* x, std::size_t n, std::int32_t* least, std::int32_t* most) {
  std::int32_t low = *least, high = *most;
  for (std::size_t i = 0; i < n; ++i) {
    low = std::min(low, x[i]);
    high = std::max(high, x[i]);
  }
  *least = low;
  *most = high;
}

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {
namespace {

HWY_EXPORT(move_row);
HWY_EXPORT(range_row);

}  // namespace

void move_words(std::uint8_t* out, const std::int32_t* x, std::size_t n,
                const FixedPointMove& move) {
  HWY_DYNAMIC_DISPATCH(move_row)(out, x, n, move);
}

void find_word_range(const std::int32_t* x, std::size_t n, std::int32_t* least,
                     std::int32_t* most) {
  HWY_DYNAMIC_DISPATCH(range_row)(x, n, least, most);
}

}  // namespace rill
#endif
